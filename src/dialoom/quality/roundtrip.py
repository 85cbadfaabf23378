"""Read every file of a corpus, write it in memory, and compare the two."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from dialoom.corpus import Corpus
from dialoom.corpus.format import Format
from dialoom.corpus.listing import plain
from dialoom.dialogue import Dialogue
from dialoom.formats.base.framing import values
from dialoom.formats.base.multi_file import FileFormat, content

Verdict = Literal["bytes", "values", "differs"]
"""Equal byte for byte; equal value for value in another layout; different."""

WORST_FIRST: tuple[Verdict, ...] = ("differs", "values", "bytes")

_VALUE = re.compile(r"\S")


def roundtrip(corpus: Corpus, format: Format) -> Iterator[tuple[Path, Verdict]]:
    """Yield each file with how its written form compares; `FormatError` if one is unreadable."""
    for file in corpus.files:
        verdicts = {
            compare(source, format.render_file(list(dialogues)), file)
            for source, dialogues in _pieces(format, file, corpus.root)
        }
        yield file, next(each for each in WORST_FIRST if each in verdicts)


def _pieces(format: Format, file: Path, root: Path) -> Iterator[tuple[bytes, Iterator[Dialogue]]]:
    if isinstance(format, FileFormat):
        return format.pieces(file, root)
    return iter([(content(file), format.read_file(file, root))])


def compare(source: bytes, output: bytes, path: Path) -> Verdict:
    """Compare two files byte for byte, then value for value.

    The values of JSON are its values, in a list or on lines; a file with an object that has a key
    twice differs, since only one of the values is read. The values of other text are its lines, but
    for blanks at the end of a line and lines without anything.
    """
    if source == output:
        return "bytes"
    if plain(path.name).endswith((".json", ".jsonl")):
        one, other = (values(data, path) for data in (source, output))
        same = list(map(_canonical, one)) == list(map(_canonical, other)) and not _repeats(source)
    else:
        same = _lines(source) == _lines(output)
    return "values" if same else "differs"


def _repeats(data: bytes) -> bool:
    """True if an object of a JSON text, or of JSON lines, has a key twice."""
    sizes: list[bool] = []

    def pairs(items: list[tuple[str, Any]]) -> None:
        sizes.append(len({key for key, _ in items}) < len(items))

    decoder = json.JSONDecoder(object_pairs_hook=pairs, parse_int=str, parse_float=str)
    text, end = data.decode("utf-8-sig"), 0
    while start := _VALUE.search(text, end):
        _, end = decoder.raw_decode(text, start.start())
    return any(sizes)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _canonical(value: Any) -> bytes:
    """Return one text per JSON value: 1, 1.0 and true stay apart, key order does not count."""
    return msgspec.json.encode(value, order="deterministic")
