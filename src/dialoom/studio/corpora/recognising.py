"""Recognises corpora in a folder by their files' names and heads.

A folder that several formats claim is none itself if folders in it are corpora. The result for
a place is kept until the place changes.
"""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec

from dialoom import formats
from dialoom.corpus.listing import glancing, plain
from dialoom.corpus.patches import SUFFIX
from dialoom.errors import DialoomError
from dialoom.studio.corpora.index import CorpusIndex
from dialoom.studio.folder import Recognised

ENDINGS = (".json", ".jsonl", ".csv", ".tsv", ".txt", ".parquet", ".md", ".yml", ".yaml")
"""The ends of the names of files of dialogues, without .gz."""

LOOKED = 30
"""Files of each folder that are looked at."""

KEPT = "recognised.jsonl"
"""The file of formats of places that other studios have looked at, among the indexes."""

Stamped = tuple[str, str | None]
"""A mark of the state of a place, and its format."""


class _Notes:
    """The formats in the file `KEPT`: a line for each place; a later line replaces earlier ones."""

    def __init__(self, file: Path) -> None:
        self._file, self.known = file, dict[str, Stamped]()
        for line in file.read_bytes().splitlines() if file.is_file() else ():
            with suppress(msgspec.MsgspecError):  # written by a studio that was stopped
                place, stamped = msgspec.json.decode(line, type=tuple[str, Stamped])
                self.known[place] = stamped

    def add(self, place: str, stamped: Stamped) -> None:
        self.known[place] = stamped
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("ab") as stream:
            stream.write(msgspec.json.encode((place, stamped)) + b"\n")


_notes = lru_cache(maxsize=1)(_Notes)


def recognise(path: Path) -> Recognised | None:
    """Return the kind and format of a corpus; None for what is none."""
    name = format_of(path)
    return Recognised("corpus", name) if name else None


def format_of(path: Path) -> str | None:
    """Return the name of the format of a corpus; None for what is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    if path.is_file() and (path.name.endswith(SUFFIX) or not plain(path.name).endswith(ENDINGS)):
        return None
    return _format(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4096)
def _format(path: Path, changed: int, size: int) -> str | None:
    """Return the format of a corpus: the one it was indexed in, else the first that claims it."""
    place = CorpusIndex(path)
    stamp = f"{changed} {size}"
    try:
        if name := place.format():
            return name
        notes = _notes(place.file.with_name(KEPT))
        noted = notes.known.get(str(place.path))
        if noted is None or noted[0] != stamp:
            noted = (stamp, _claimed(path))
            notes.add(str(place.path), noted)
    except (DialoomError, OSError, ValueError):
        return None
    return noted[1]


def _claimed(path: Path) -> str | None:
    with warnings.catch_warnings(), glancing(LOOKED):
        warnings.simplefilter("ignore")
        claims = [name for name in _names() if formats.get(name).detect(path)]
    several = len(claims) > 1 and path.is_dir() and any(map(recognise, _folders(path)))
    return claims[0] if claims and not several else None


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    """Return the formats that may claim a place; to list them reads all installed packages."""
    return tuple(name for name in formats.FORMATS if name != formats.FALLBACK)


def _folders(path: Path) -> list[Path]:
    return [each for each in sorted(path.iterdir()) if each.is_dir() and each.name[0] != "."]
