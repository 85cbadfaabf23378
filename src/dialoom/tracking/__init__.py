"""What is known of the slots of a task as a dialogue goes on, and where it came from."""

from dialoom.tracking.tracker import Origin, SlotTracker, Tracked

__all__ = ["Origin", "SlotTracker", "Tracked"]
