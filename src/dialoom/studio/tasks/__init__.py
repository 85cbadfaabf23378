"""The view of task files: edit one with its findings, chart, dialogues and bot beside it."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.routing import Route

from dialoom.schema.pack import SUFFIXES

ROUTES: list[Route] = []

HEAD = 65_536
"""Bytes of a file in which its first keys are looked for."""


def recognise(path: Path) -> str | None:
    """Return "task" for a task file; None for any other file."""
    if path.suffix not in SUFFIXES or not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            head = file.read(HEAD)
    except OSError:
        return None
    return "task" if re.search(rb"^task:", head, re.MULTILINE) else None
