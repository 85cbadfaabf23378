"""Dialogue policies over acts and slots: the next acts of the system, or of a user with a goal."""

from dialoom.models.policy.acts import ActPolicy

__all__ = ["ActPolicy"]
