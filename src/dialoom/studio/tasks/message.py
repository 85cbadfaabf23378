"""Messages about a task file as it is in the editor, and the document that its text makes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec

from dialoom.collect.kinds.room.messages import RoomMessage
from dialoom.schema.findings import Report
from dialoom.schema.places import Document, parse
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.including import INCLUDE, SUFFIX, read_string
from dialoom.schema.yaml.reading import review_and_build
from dialoom.schema.yaml.rows import FILE
from dialoom.studio.folder import StudioFolder

Reviewed = tuple[Document, Report, TaskSchema]
"""Type of a document, its findings, and its task without the parts that do not conform."""


class EditedTask(msgspec.Struct, frozen=True):
    """The text of a task file, saved or not."""

    path: str
    text: str

    def reviewed(self, folder: StudioFolder) -> Reviewed:
        """Return the text as a document, its findings, and its task without unfit parts.

        Raises:
            SchemaError: It is not plain YAML, or one of its parts is wrong.
            Refused: It, or a file that it names, is outside the folder.
        """
        place = folder.inside(self.path)
        if FILE in self.text or INCLUDE in self.text:
            for name in _named(parse(self.text, self.path).value):
                folder.inside(str(place.parent / name))
            return _reviewed(read_string(self.text, self.path, place.parent))
        return _reviewed_alone(self.path, self.text)


class Trial(EditedTask, frozen=True):
    """A task to simulate with a seed."""

    seed: int = 0


class TaskTalk(Trial, frozen=True):
    """A talk with the task's bot: everything that the user has said, in order."""

    said: list[str] = []


class WizardTalk(Trial, frozen=True):
    """A talk with a simulated user: all messages of the wizard, in order."""

    sent: list[RoomMessage] = []


class HeardLine(EditedTask, frozen=True):
    """A line to read as the user's or the system's."""

    line: str = ""
    speaker: Literal["user", "system"] = "user"


@lru_cache(maxsize=4)  # all panels of the page ask about the same text
def _reviewed_alone(path: str, text: str) -> Reviewed:
    return _reviewed(read_string(text, path))


def _reviewed(document: Document) -> Reviewed:
    return document, *review_and_build(document)


def _named(value: Any) -> list[str]:
    """Return the files that a task file names: rows, a policy, parts."""
    if not isinstance(value, dict):
        return []
    tables, included = _mapping(value.get("tables")), _mapping(value.get(INCLUDE))
    policy = _mapping(_mapping(value.get("briefing")).get("policy"))
    files = [_mapping(each).get(FILE) for each in (*tables.values(), policy)]
    return [*(str(each) for each in files if each), *(f"{name}{SUFFIX}" for name in included)]


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
