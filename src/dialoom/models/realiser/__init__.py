"""Models that say given acts."""

from dialoom.models.realiser.retrieval import Retrieve

__all__ = ["Retrieve"]
