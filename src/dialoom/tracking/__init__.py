"""Tracking of a task's slots through a dialogue: their values and where these came from."""

from dialoom.tracking.tracker import Origin, SlotTracker, Tracked

__all__ = ["Origin", "SlotTracker", "Tracked"]
