"""GEM's challenge sets over any corpus whose system utterances have acts.

items            what act-to-text generation reads and writes, and the part of its corpus it is in
sets             the seven sets and the two families of subpopulations
backtranslation  what a translating model has to offer, and a substitute
drawing          what is drawn from a corpus: seeded samples of a stream
writing          the folder

It is above the formats, whose corpora it reads, and above the simulator's noise.
"""

from dialoom.quality.challenge.drawing import Drawing
from dialoom.quality.challenge.sets import ChallengeSettings
from dialoom.quality.challenge.writing import write

__all__ = ["ChallengeSettings", "Drawing", "write"]
