"""The learnt dialogue state tracker: candidate values of each slot, classified by boosted trees."""

from dialoom.models.tracker.model import Tracker

__all__ = ["Tracker"]
