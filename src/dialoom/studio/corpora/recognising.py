"""Recognises corpora in a folder by their files' names and heads.

A folder of several corpora is none itself: more than one format claims it. What was found out about
a place is kept until the place changes.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

from dialoom import formats
from dialoom.corpus.listing import plain
from dialoom.corpus.patches import SUFFIX
from dialoom.errors import DialoomError
from dialoom.studio.corpora.index import CorpusIndex

ENDINGS = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".md", ".yml", ".yaml")
"""The ends of the names of files of dialogues, without .gz."""


def recognise(path: Path) -> str | None:
    """Return "sgd corpus", for example; None for what is no corpus."""
    try:
        known = path.stat()
    except OSError:
        return None
    if path.is_file() and (path.name.endswith(SUFFIX) or not plain(path.name).endswith(ENDINGS)):
        return None
    name = _format(path, known.st_mtime_ns, known.st_size)
    return f"{name} corpus" if name else None


@lru_cache(maxsize=4096)
def _format(path: Path, changed: int, size: int) -> str | None:
    """Return the format of a corpus: the one it was indexed in, or the only one that claims it."""
    try:
        if known := CorpusIndex(path).format():
            return known
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            claims = [
                name
                for name in formats.FORMATS
                if name != formats.FALLBACK and formats.get(name).detect(path)
            ]
    except (DialoomError, OSError, ValueError):
        return None
    return claims[0] if len(claims) == 1 else None
