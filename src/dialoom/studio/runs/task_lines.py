"""The lines of a task file that a dialogue's acts and calls come from."""

from __future__ import annotations

import re
from collections.abc import Collection

import msgspec

from dialoom.studio.folder import StudioFolder

_TASK = re.compile(r"^task:\s*[\"']?([^\"'#\s]+)", re.MULTILINE)
_KEY = re.compile(r"^\s+(?:-\s+)?[\"']?([\w.-]+)[\"']?\s*:")

MOST = 4_000_000
"""Most bytes of a task file."""


class TaskPlace(msgspec.Struct, frozen=True):
    """A task's file below the studio's folder, and the line (from 1) of each of its names."""

    path: str
    lines: dict[str, int]


def places(folder: StudioFolder, tasks: Collection[str], names: Collection[str]) -> list[TaskPlace]:
    """Return the files of some tasks, with the lines where some names are defined."""
    matches = []
    for entry in folder.entries:
        if entry.view == "tasks":
            file = folder.inside(entry.path)
            try:
                text = file.read_text("utf-8") if file.stat().st_size <= MOST else ""
            except (OSError, UnicodeDecodeError):
                continue
            task = _TASK.search(text)
            if task is not None and task[1] in tasks:
                matches.append(TaskPlace(entry.path, _lines(text, names)))
    return matches


def _lines(text: str, names: Collection[str]) -> dict[str, int]:
    """Return where names are keys; the last such line, as the flow comes after slots and calls."""
    numbers: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        key = _KEY.match(line)
        if key is not None and key[1] in names:
            numbers[key[1]] = number
    return numbers
