"""Recognises corpora in a folder by their files' names and heads.

A folder that several formats claim is none itself if folders in it are corpora. The result for
a place is kept until the place changes.
"""

from __future__ import annotations

import warnings
from functools import lru_cache
from pathlib import Path

import msgspec

from dialoom import formats
from dialoom.corpus.files import write_atomic
from dialoom.corpus.listing import glancing, plain
from dialoom.corpus.patches import SUFFIX
from dialoom.errors import DialoomError
from dialoom.studio.corpora.index import CorpusIndex

ENDINGS = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".md", ".yml", ".yaml")
"""The ends of the names of files of dialogues, without .gz."""

LOOKED = 30
"""Files of each folder that are looked at."""


KEPT = "recognised.json"
"""The file of formats of places that other studios have looked at, among the indexes."""


def recognise(path: Path) -> str | None:
    """Return "sgd corpus", for example; None for what is no corpus."""
    name = format_of(path)
    return f"{name} corpus" if name else None


def format_of(path: Path) -> str | None:
    """Return the name of the format of a corpus; None for what is none."""
    try:
        known = path.stat()
    except OSError:
        return None
    if path.is_file() and (path.name.endswith(SUFFIX) or not plain(path.name).endswith(ENDINGS)):
        return None
    return _format(path, known.st_mtime_ns, known.st_size)


@lru_cache(maxsize=4096)
def _format(path: Path, changed: int, size: int) -> str | None:
    """Return the format of a corpus: the one it was indexed in, else the first that claims it."""
    place = CorpusIndex(path)
    stamp = f"{changed} {size}"
    try:
        if known := place.format():
            return known
        noted = _noted(place.file.with_name(KEPT))
        held = noted.get(str(place.path))
        if held is None or held[0] != stamp:
            held = noted[str(place.path)] = (stamp, _claimed(path))
            write_atomic(place.file.with_name(KEPT), msgspec.json.encode(noted))
    except (DialoomError, OSError, ValueError):
        return None
    return held[1]


def _noted(file: Path) -> dict[str, tuple[str, str | None]]:
    if not file.is_file():
        return {}
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, tuple[str, str | None]])
    except msgspec.MsgspecError:
        return {}


def _claimed(path: Path) -> str | None:
    with warnings.catch_warnings(), glancing(LOOKED):
        warnings.simplefilter("ignore")
        claims = [
            name
            for name in formats.FORMATS
            if name != formats.FALLBACK and formats.get(name).detect(path)
        ]
    several = len(claims) > 1 and path.is_dir() and any(map(recognise, _folders(path)))
    return claims[0] if claims and not several else None


def _folders(path: Path) -> list[Path]:
    return [each for each in sorted(path.iterdir()) if each.is_dir() and each.name[0] != "."]
