"""Models that track frames, and that predict acts from texts (Frames; El Asri et al. 2017)."""

from dialoom.models.frames.trees import FrameRules, FrameTrees

__all__ = ["FrameRules", "FrameTrees"]
