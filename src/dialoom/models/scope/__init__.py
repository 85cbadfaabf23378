"""Models that predict whether the user's last turn is within the scope of a task."""

from dialoom.models.scope.counting import WordCount
from dialoom.models.scope.trees import ScopeTrees

__all__ = ["ScopeTrees", "WordCount"]
