"""Models that track frames: rules and trees over what a turn has in common with each frame.

turn      what is known before a turn: frames, their history, the acts and the text of the turn
features  numbers of (argument or act, candidate frame)
rules     no learning
trees     boosted trees
"""

from dialoom.models.frames.rules import FrameRules
from dialoom.models.frames.trees import FrameTrees

__all__ = ["FrameRules", "FrameTrees"]
