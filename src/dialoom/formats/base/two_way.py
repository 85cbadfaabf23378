"""Formats of JSON files that are read and written by a function for each direction.

    FORMAT = two_way("tm", JsonFile(load, dump), SIGNS, new_name="tm_{:03d}.json")

codec.py has what the functions are made of. Lists, single dialogues, lines and layouts of files are
the same for all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.codec import LAYOUT, marks
from dialoom.formats.base.framing import LIST, OBJECT
from dialoom.formats.base.json_file import INDENTED, Layout
from dialoom.formats.base.multi_file import FileFormat
from dialoom.formats.base.signs import Signs
from dialoom.formats.base.turn_list import JSON_FILES
from dialoom.formats.base.values import Json


@dataclass(frozen=True)
class JsonFile:
    """A codec of files, made of a function for each direction that converts one dialogue.

    The layout of a file is noted with its dialogues, and written again.

    Attributes:
        load: Returns the dialogue of a value; the path is for messages.
        dump: Returns the value of a dialogue.
        layout: The layout of the published files.
        split: Yields the values of the dialogues in an entry, which may hold several.
        joined: Returns the entries of a file, for the values of its dialogues.
    """

    load: Callable[[Any, Path, Origin], Dialogue]
    dump: Callable[[Dialogue], Json]
    layout: Layout = INDENTED
    split: Callable[[Any], Iterator[Any]] = lambda value: iter((value,))
    joined: Callable[[list[Json]], list[Json]] = lambda values: values

    def read(self, data: bytes, file: Path, name: str) -> Iterator[Dialogue]:
        """Yield the dialogues of a content; `FormatError` if it is not in the format."""
        noted = self.layout.of(data)
        values = (each for entry in self.layout.values(data, file) for each in self.split(entry))
        for index, value in enumerate(values):
            dialogue = self.load(value, file, Origin(name, index))
            layout = {LAYOUT: {"file": noted} | marks(dialogue.extra)} if noted else {}
            yield replace(dialogue, extra=dialogue.extra | layout)

    def render(self, dialogues: Sequence[Dialogue]) -> bytes:
        """Return the content of a file of these dialogues, in the layout of the first one's."""
        noted = marks(dialogues[0].extra).get("file") if dialogues else None
        return self.layout.render(self.joined(list(map(self.dump, dialogues))), noted)


def two_way(
    name: str,
    codec: JsonFile,
    *signs: Signs,
    new_name: str,
    owns: re.Pattern[str] = JSON_FILES,
    per_file: int = 500,
    **more: Any,
) -> FileFormat:
    """Return a format of JSON files.

    Args:
        signs: The fields of its dialogues, a set for each spelling.
        new_name: The pattern of new files' names, with a place for a number.
        per_file: Dialogues of another format in each file.
        more: Further fields of `FileFormat`.
    """
    return FileFormat(
        name=name,
        owns=owns,
        signs=signs,
        read=codec.read,
        render=codec.render,
        new_name=new_name.format,
        named=False,
        per_file=per_file,
        forms=(LIST, OBJECT),
        **more,
    )
