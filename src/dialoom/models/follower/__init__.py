"""The schema follower: follows a task's schema without having been trained on the task."""

from dialoom.models.follower.model import Follower

__all__ = ["Follower"]
