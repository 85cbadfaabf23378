"""Published statistics of corpora, each with its source.

Those of a whole corpus, of tasks and of frames are traits of formats (corpus/traits.py). If only
a part of a corpus is at hand, ours are not comparable and the tables say so.
"""

from __future__ import annotations

STAR_PAPER = "STAR paper"
GEM_CARD = "GEM card of schema_guided_dialog"


TIMES_MULTIWOZ = 3.6
"""STAR's users' words by those of MultiWOZ's users (section 4 of the STAR paper)."""

TOLERANCE = 0.03
"""The largest difference from a share of table 8 that counts as equal."""

GEM_NUMBERS = {1: 5049, 2: 2517, 3: 1328, 4: 469, 5: 335, 6: 256, 7: 46}
"""The card's subpopulations of the test split by number of acts; they add up to 10,000."""

GEM_TYPES = {
    "CONFIRM": 1397,
    "GOODBYE": 983,
    "INFORM": 1027,
    "INFORM_COUNT": 958,
    "NOTIFY_FAILURE": 72,
    "NOTIFY_SUCCESS": 1024,
    "OFFER": 1246,
    "OFFER_INTENT": 500,
    "REQUEST": 2078,
    "REQ_MORE": 715,
}
"""The card's subpopulations by type of act, which it prints as integers; they add up to 10,000."""

TASKMASTER = {"dialogues": 13_215, "unannotated": 146}
"""The release: 5,507 spoken and 7,708 written dialogues; 146 of them unannotated (its README)."""
