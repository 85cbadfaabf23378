"""The interface of a file format, between published files and dialogues."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NoReturn, Protocol

from dialoom.corpus.traits import NO_TRAITS, Traits
from dialoom.dialogue import Dialogue
from dialoom.dialogue.event import Event
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema


class PlainNames:
    """Base of the formats that have no words of their own for events."""

    def event_name(self, event: Event) -> str:
        """Name an event by its agent and kind."""
        return f"{event.agent} {event.__struct_config__.tag}"


class ExportOnly(PlainNames, ABC):
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

    @abstractmethod
    def kept(self, dialogue: Dialogue) -> Dialogue:
        """Return the part of a dialogue that is written, for the loss report."""

    def _refuse(self, path: Path) -> NoReturn:
        what = f"{self.name} cannot be read back: {self.why}"
        raise UsageError(f"{path}: {what}; name the corpus it was written from", code="one-way")


class Format(Protocol):
    """Reads and writes one published layout; `write(read(file)) == file`."""

    @property
    def name(self) -> str:
        """Its name in the registry."""

    @property
    def traits(self) -> Traits:
        """Its properties beyond its layout."""

    def detect(self, path: Path) -> bool:
        """True if `path` looks like this format, by names and the first bytes."""

    def files(self, path: Path) -> list[Path]:
        """List the dialogue files under `path` that this format owns, in order; never empty."""

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield a file's dialogues, with origins relative to `root`; `FormatError` for others."""

    def schemas(self, path: Path) -> dict[str, TaskSchema]:
        """Read the task schemas next to the dialogues; empty where there are none."""

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, TaskSchema], target: Path
    ) -> None:
        """Write a whole corpus into the existing, empty folder `target`, in the order given.

        Content that the format cannot hold is left out; formats/base/conversion.py counts it.
        """

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the content of one file that holds these dialogues."""

    def event_name(self, event: Event) -> str:
        """Name an event in the format's own words, for statistics."""
