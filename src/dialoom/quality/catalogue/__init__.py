"""The catalogue of the public corpora that dialoom reads.

entry            a corpus: where it is, on what terms, how large a whole copy is (corpora.yaml),
                 and what else a copy holds
recognition      whose dialogues a copy has, by digests of their words
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

__all__ = [
    "Checked",
    "CorpusPart",
    "Entry",
    "PartCount",
    "SourceCounts",
    "Track",
    "count",
    "entries",
    "entry",
    "identify",
    "published_format",
    "recognised",
]
