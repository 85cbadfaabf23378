"""Models that realise acts as text (act-to-text generation)."""

from dialoom.models.realiser.forms import ActCopy, ActTemplates
from dialoom.models.realiser.retrieval import Retrieve

__all__ = ["ActCopy", "ActTemplates", "Retrieve"]
