"""The catalogue: the public corpora dialoom reads, and the copies of them a user has.

entry            a corpus: where it is, on what terms, how large a whole copy is (corpora.yaml),
                 and what else a copy holds
recognition      whose dialogues a copy has, by digests of their words
registry         the copies that `dialoom data add` noted, in the user's own data folder
"""

from dialoom.quality.catalogue.entry import (
    Checked,
    CorpusPart,
    Entry,
    PartCount,
    Track,
    count,
    entries,
    entry,
    identify,
    published_format,
)
from dialoom.quality.catalogue.recognition import SourceCounts, recognised
from dialoom.quality.catalogue.registry import Copy, add, copies, located

__all__ = [
    "Checked",
    "Copy",
    "CorpusPart",
    "Entry",
    "PartCount",
    "SourceCounts",
    "Track",
    "add",
    "copies",
    "count",
    "entries",
    "entry",
    "identify",
    "located",
    "published_format",
    "recognised",
]
