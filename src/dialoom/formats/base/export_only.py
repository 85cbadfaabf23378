"""Formats that are written and never read back: pages for people, items without their dialogues.

class TextFormat(ExportOnly):
    name = "text"
    why = "it is for people to read"

    def write(…)
    def kept(self, dialogue) -> Dialogue      # what of it is told, for the loss report
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
    """Base of the formats that nothing reads back.

    Attributes:
        name: Its name in the registry.
        why: Why it cannot be read, for messages.
    """

    name: str
    why: str
    traits = NO_TRAITS

    def detect(self, path: Path) -> bool:
        """Tell that this is no corpus, whatever it is."""
        return False

    def files(self, path: Path) -> list[Path]:
        """Refuse to read.

        Raises:
            UsageError: Always.
        """
        self._refuse(path)

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Refuse to read.

        Raises:
            UsageError: Always.
        """
        self._refuse(file)

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Return none: there are no schemas beside what is written."""
        return {}

    def _refuse(self, path: Path) -> NoReturn:
        what = f"{self.name} cannot be read back: {self.why}"
        raise UsageError(f"{path}: {what}; name the corpus it was written from")
