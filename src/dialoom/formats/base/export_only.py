"""Formats that are only written: pages for people, items without their dialogues.

class TextFormat(ExportOnly):
    name = "text"
    why = "it is for people to read"

    def write(…)
    def kept(self, dialogue) -> Dialogue      # the part that is shown, for the loss report
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from dialoom.corpus.format import PlainNames
from dialoom.corpus.traits import NO_TRAITS
from dialoom.dialogue import Dialogue
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema


class ExportOnly(PlainNames):
    """Base class of formats that are only written; `why` is for messages."""

    name: str
    why: str
    traits = NO_TRAITS

    def detect(self, path: Path) -> bool:
        """Return False: no path is detected as this format."""
        return False

    def files(self, path: Path) -> list[Path]:
        """Raise `UsageError`, as the format cannot be read."""
        self._refuse(path)

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Raise `UsageError`, as the format cannot be read."""
        self._refuse(file)

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Return an empty dictionary: no schemas are written."""
        return {}

    def _refuse(self, path: Path) -> NoReturn:
        what = f"{self.name} cannot be read back: {self.why}"
        raise UsageError(f"{path}: {what}; name the corpus it was written from")
