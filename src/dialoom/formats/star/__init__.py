"""STAR (Mosig et al. 2020): a folder with one JSON file a dialogue, and task schemas beside them.

    star/dialogues/12.json
    star/tasks/weather/{weather.json,responses.json,wizard_nlu_training_data.md}
    star/apis/apis/weather.json    star/apis/dbs/weather.json
    star/sam_schemas/weather.json  (the Schema Attention Model's richer schemas)

Version 7 of the published data and version 6 of the paper are read, and written as read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from dialoom.corpus.files import parse_json, read_bytes, write_synced
from dialoom.corpus.format import Loss
from dialoom.dialogue import Dialogue, Origin
from dialoom.dialogue.event import Event
from dialoom.errors import MissingDataError
from dialoom.formats.star import lenient, raw, reading, writing
from dialoom.formats.star.tasks import read_tasks, write_tasks
from dialoom.schema.task import Task

_DECODER = msgspec.json.Decoder(raw.Dialogue)
_NATURAL = re.compile(r"(\d+)")


class StarFormat:
    """Reads and writes STAR's dialogues and task schemas."""

    name = "star"

    def detect(self, path: Path) -> bool:
        """Tell whether a STAR dialogue lies here: its first file opens with STAR's own keys."""
        try:
            first = self.files(path)[0].read_bytes()[:4_000_000]
        except (MissingDataError, OSError):
            return False
        return b'"Events"' in first and b'"Scenario"' in first and b'"FORMAT-VERSION"' in first

    def files(self, path: Path) -> list[Path]:
        """List `path/dialogues/*.json` if there, else `path/*.json`, in numerical order.

        Raises:
            MissingDataError: There are none.
        """
        if path.is_file():
            return [path]
        below = path / "dialogues"
        folder = below if below.is_dir() else path
        found = sorted(folder.glob("*.json"), key=_natural)
        if not found:
            raise MissingDataError(f"{folder}: no STAR dialogues (*.json) here")
        return found

    def read_file(self, file: Path, root: Path) -> Iterator[Dialogue]:
        """Yield the one dialogue of a file."""
        data = read_bytes(file)
        origin = Origin(file.relative_to(root).as_posix())
        try:
            record = _DECODER.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            record, extras = lenient.read(parse_json(data, file), file)
            yield reading.dialogue(record, origin, extras)
        else:
            yield reading.dialogue(record, origin)

    def schemas(self, path: Path) -> dict[str, Task]:
        """Read the tasks beside the dialogues."""
        return read_tasks(path if path.is_dir() else path.parent)

    def write(
        self, dialogues: Iterable[Dialogue], schemas: Mapping[str, Task], target: Path
    ) -> Loss:
        """Write one file a dialogue under its own name, else `dialogues/<id>.json`."""
        loss = Loss()
        taken: set[str] = set()
        for number, dialogue in enumerate(dialogues, start=1):
            name = _file_name(dialogue, number, taken)
            file = target / name
            file.parent.mkdir(parents=True, exist_ok=True)
            write_synced(file, writing.to_bytes(dialogue, number, loss))
        write_tasks(dict(schemas), target)
        return loss

    def render_file(self, dialogues: list[Dialogue]) -> bytes:
        """Return the file of one dialogue."""
        return writing.to_bytes(dialogues[0], 1, Loss())

    def event_name(self, event: Event) -> str:
        """Name an event by STAR's agent and action."""
        return writing.event_name(event)


def _natural(file: Path) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in _NATURAL.split(file.name)]


def _file_name(dialogue: Dialogue, number: int, taken: set[str]) -> str:
    origin = dialogue.origin
    if origin is not None and origin.index is None and _is_inside(origin.file):
        name = origin.file
    else:
        stem = dialogue.id if writing.is_number(dialogue.id) else str(number)
        name = f"dialogues/{stem}.json"
    while name in taken:
        number += 1
        name = f"dialogues/{number}.json"
    taken.add(name)
    return name


def _is_inside(name: str) -> bool:
    path = Path(name)
    return path.suffix == ".json" and not path.is_absolute() and ".." not in path.parts


FORMAT = StarFormat()
"""The format, as the registry knows it."""
