"""Reading one dialogue of a file again, from its place in the file where the format has places.

JSON lines, lists and objects of dialogues have places. Other files are read from their beginning.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from dialoom.corpus import Corpus
from dialoom.corpus.files import reading
from dialoom.corpus.listing import GZIP
from dialoom.dialogue import Dialogue
from dialoom.errors import DialoomError, MissingDataError
from dialoom.formats.base.framing import LINES, LIST, OBJECT
from dialoom.formats.base.multi_file import sight
from dialoom.formats.base.tolerant import read_one, separated

WHOLE = 1 << 28
"""Most bytes of a JSON list or object that is searched for places: it is in memory meanwhile."""

Place = tuple[int, int]
"""Start and length in bytes."""


def places_of(file: Path) -> list[Place]:
    """Return the place of each value of a file; empty if it has no places."""
    form = "" if file.suffix == GZIP else sight(file).form
    if form == LINES:
        return list(_lines(file))
    if form in (LIST, OBJECT) and file.stat().st_size <= WHOLE:
        return _values(file, separated(file) or [])
    return []


def _lines(file: Path) -> Iterator[Place]:
    start = 0
    with reading(file), file.open("rb") as stream:
        for line in stream:
            if not line.isspace():
                yield start, len(line)
            start += len(line)


def _values(file: Path, pieces: list[bytes]) -> list[Place]:
    data, end, places = file.read_bytes(), 0, []
    for piece in pieces:
        inner = piece if data.find(piece, end) >= 0 else piece[1:-1]  # an entry is {key: value}
        start = data.find(inner, end)
        if start < 0:  # its key is spelled in another way
            return []
        end = start + len(inner)
        places.append((start, len(inner)))
    return places


def read_again(corpus: Corpus, file: Path, position: int, place: Place | None, id: str) -> Dialogue:
    """Return the dialogue at a position of a file.

    Args:
        place: Its place in the file; None to read the file from its beginning.
        id: The dialogue's id. A dialogue of another id at the place is not taken.

    Raises:
        MissingDataError: The file has no such dialogue any more.
    """
    if place is not None:
        with reading(file), file.open("rb") as stream:
            stream.seek(place[0])
            raw = stream.read(place[1])
        if raw.startswith(b'"'):
            raw = b"{%s}" % raw
        try:
            dialogue = read_one(corpus._format, file, corpus.root, raw, position)
        except (DialoomError, ValueError):  # several dialogues, none, or one that needs the others
            pass
        else:
            if dialogue.id == id:
                return dialogue
    for dialogue in islice(corpus.read_file(file), position, None):
        if dialogue.id == id:
            return dialogue
        break
    raise MissingDataError(f"{file}: has no dialogue {id} at position {position} any more")
