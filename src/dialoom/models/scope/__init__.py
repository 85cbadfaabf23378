"""Models that tell whether a task can help with what the user just said."""

from dialoom.models.scope.distance import ScopeDistance
from dialoom.models.scope.trees import ScopeTrees

__all__ = ["ScopeDistance", "ScopeTrees"]
