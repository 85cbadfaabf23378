"""Does a format give back what it read? Every file is read, written in memory and compared."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from dialoom.corpus import Corpus
from dialoom.corpus.files import parse_json, read_bytes
from dialoom.corpus.format import Format

Verdict = Literal["bytes", "values", "differs"]
"""Equal byte for byte; equal as JSON values in another layout; different."""


def roundtrip(corpus: Corpus, format: Format) -> Iterator[tuple[Path, Verdict]]:
    """Yield each file of the corpus with how the written form compares to it.

    Raises:
        FormatError: A file cannot be read at all.
    """
    for file in corpus.files:
        written = format.render_file(list(format.read_file(file, corpus.root)))
        yield file, compare(_plain(file), written, file)


def _plain(file: Path) -> bytes:
    data = read_bytes(file)
    return gzip.decompress(data) if file.suffix == ".gz" else data


def compare(source: bytes, written: bytes, path: Path) -> Verdict:
    """Compare two JSON texts byte for byte, then value for value."""
    if source == written:
        return "bytes"
    if path.name.endswith((".jsonl", ".jsonl.gz")):
        pairs = zip(source.splitlines(), written.splitlines(), strict=False)
        same = source.count(b"\n") == written.count(b"\n") and all(
            _canonical(parse_json(a, path)) == _canonical(parse_json(b, path)) for a, b in pairs
        )
    else:
        same = _canonical(parse_json(source, path)) == _canonical(parse_json(written, path))
    return "values" if same else "differs"


def _canonical(value: Any) -> bytes:
    """Return one text per JSON value: 1, 1.0 and true stay apart, key order does not count."""
    return msgspec.json.encode(value, order="deterministic")
