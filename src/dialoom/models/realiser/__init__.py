"""Models that realise acts as text (act-to-text generation).

wording     utterances with placeholders for the values that acts name
similarity  similarity of slots and of services, by the words of their schemas
ngrams      wordings as rows of n-grams
style       similarity of the wording of two dialogues
store       training's wordings by their acts, and those that can be adapted to new acts
retrieval   the model: picks a wording of training by its expected BLEU gain
ranking     expected BLEU gains, and trees that choose among the best candidates
forms       acts as text without learning, by name, by description or by template
"""

from dialoom.models.realiser.forms import ActCopy, ActTemplates
from dialoom.models.realiser.retrieval import Retrieve

__all__ = ["ActCopy", "ActTemplates", "Retrieve"]
