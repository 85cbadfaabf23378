"""Models that find the arguments of calls in an utterance, as labelled spans.

tagger     a conditional random field for each topic, and a classifier of label endings
"""

from dialoom.models.arguments.tagger import ArgumentTagger

__all__ = ["ArgumentTagger"]
