"""Models that find the arguments of calls in an utterance, as labelled spans.

tagger     a conditional random field for each topic, and a classifier of label endings
gazetteer  the baseline: the values of training, looked up
"""

from dialoom.models.arguments.gazetteer import Gazetteer
from dialoom.models.arguments.tagger import ArgumentTagger

__all__ = ["ArgumentTagger", "Gazetteer"]
