"""A corpus: where it lies, its format, its schemas, and its dialogues as a stream."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from dialoom.corpus.files import read_bytes
from dialoom.corpus.format import Format
from dialoom.dialogue import Dialogue
from dialoom.schema.task import TaskSchema


class Corpus:
    """A folder or file of dialogues in one format.

    Args:
        path: The folder or file.
        format: How it is laid out.
    """

    def __init__(self, path: Path, format: Format) -> None:
        self.path = path
        self._format = format

    def __repr__(self) -> str:
        return f"Corpus({str(self.path)!r}, format={self.format!r})"

    @property
    def format(self) -> str:
        """The format's name."""
        return self._format.name

    @cached_property
    def files(self) -> list[Path]:
        """The dialogue files, in the format's order."""
        return self._format.files(self.path)

    @cached_property
    def schemas(self) -> dict[str, TaskSchema]:
        """The task schemas by id."""
        return self._format.schemas(self.path)

    @property
    def root(self) -> Path:
        """The folder that origins are relative to."""
        return self.path if self.path.is_dir() else self.path.parent

    def dialogues(self) -> Iterator[Dialogue]:
        """Yield every dialogue, file by file; each call begins anew."""
        for file in self.files:
            yield from self._format.read_file(file, self.root)

    @cached_property
    def digest(self) -> str:
        """The first 16 hex digits of the SHA-256 of the dialogue files' names and contents."""
        total = hashlib.sha256()
        for file in self.files:
            total.update(file.relative_to(self.root).as_posix().encode() + b"\0")
            total.update(hashlib.sha256(read_bytes(file)).digest())
        return total.hexdigest()[:16]
