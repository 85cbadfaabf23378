"""N-gram language models.

kneser_ney  probabilities of words by interpolated Kneser-Ney smoothing
model       the model of replies, which generates them and gives their probabilities
"""

from dialoom.models.ngram.model import NgramReplies

__all__ = ["NgramReplies"]
