"""Models that say given acts.

wording    utterances with placeholders for the values that acts name
likeness   how alike slots and services are
ngrams     wordings as rows of n-grams
style      how alike two dialogues are worded
store      what training said, and what of it fits new acts
retrieval  the choice among it
ranking    a learnt choice among the likeliest
forms      acts as text, by name, by description or by template
"""

from dialoom.models.realiser.forms import ActCopy, ActTemplates
from dialoom.models.realiser.retrieval import Retrieve

__all__ = ["ActCopy", "ActTemplates", "Retrieve"]
