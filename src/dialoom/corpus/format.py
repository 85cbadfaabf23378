"""What a file format can do: the one seam between published files and dialogues."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from dialoom.dialogue import Dialogue
from dialoom.dialogue.event import Event
from dialoom.schema.task import Task

Loss = Counter[str]
"""What a target could not hold: field to how often it was left out."""


class Format(Protocol):
    """Reads and writes one published layout; `write(read(file)) == file`."""

    name: str

    def detect(self, path: Path) -> bool:
        """Tell, from names and the first bytes, whether `path` looks like this format."""

    def files(self, path: Path) -> list[Path]:
        """List the dialogue files under `path` that this format owns, in order; never empty.

        Raises:
            MissingDataError: There are none.
        """

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the dialogues of one file; `root` is what their origin is relative to.

        Raises:
            FormatError: The file is not what the format says.
        """

    def schemas(self, path: Path) -> dict[str, Task]:
        """Read the task schemas that stand beside the dialogues; empty where there are none."""

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, Task], target: Path
    ) -> Loss:
        """Write a whole corpus into the existing, empty folder `target`.

        Returns:
            What the format could not hold.
        """

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the content of one file that holds these dialogues."""

    def event_name(self, event: Event) -> str:
        """Name an event in the format's own words, for statistics."""
