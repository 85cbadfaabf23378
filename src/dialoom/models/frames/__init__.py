"""Models that track frames, and that predict acts from texts (Frames; El Asri et al. 2017).

turn      a user's turn with the frames before it and their history
fitting   similarity of values, and comparison of an argument with a frame
features  features of an argument, or act, and a candidate frame
rules     frame tracking by rules
trees     frame tracking by boosted trees
nlu       acts with slots and values read off texts
reader    acts read off texts, with the frames they refer to
"""

from dialoom.models.frames.rules import FrameRules
from dialoom.models.frames.trees import FrameTrees

__all__ = ["FrameRules", "FrameTrees"]
