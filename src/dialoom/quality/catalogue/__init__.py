"""The catalogue: the public corpora dialoom reads, and the copies of them a user has.

entry            a corpus: where it is, on what terms, how large a whole copy is (corpora.yaml)
counting         what a copy holds, beside what a whole one does
registry         the copies that `dialoom data add` noted, in the user's own data folder
"""

from dialoom.quality.catalogue.counting import Checked, PartCount, Track, count, identify
from dialoom.quality.catalogue.entry import CorpusPart, Entry, entries, entry
from dialoom.quality.catalogue.registry import Copy, add, copies, located

__all__ = [
    "Checked",
    "Copy",
    "CorpusPart",
    "Entry",
    "PartCount",
    "Track",
    "add",
    "copies",
    "count",
    "entries",
    "entry",
    "identify",
    "located",
]
