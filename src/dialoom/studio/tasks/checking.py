"""Checks a text as it is typed: its findings, its chart, and the names and lines of its parts."""

from __future__ import annotations

from typing import Any

from dialoom.errors import DialoomError, FormatError
from dialoom.schema.findings import Finding
from dialoom.schema.flowchart import draw
from dialoom.schema.places import Document
from dialoom.studio.folder import StudioFolder
from dialoom.studio.tasks.message import EditedTask

NAMED = ("flow", "slots", "apis", "tables")
"""Sections whose names others refer to."""


def check(folder: StudioFolder, edited: EditedTask) -> dict[str, Any]:
    """Return what a page shows of a text while it is edited.

    `findings`; `names`: section to the names in it, each with its line; `task`: the id, and
    `chart`: its flow chart as SVG, both null while there are errors.
    """
    try:
        document, report, task = edited.reviewed(folder)
    except DialoomError as error:
        return {"findings": [unreadable(edited.path, error)], "names": {}, **_NONE}
    content = {"findings": list(report), "names": _names(document)}
    if report.errors:
        return {**content, **_NONE}
    try:
        return {**content, "task": task.id, "chart": draw(task)}
    except DialoomError:  # a task of calls alone has no flow to draw
        return {**content, "task": task.id, "chart": None}


_NONE: dict[str, None] = {"task": None, "chart": None}


def unreadable(path: str, error: DialoomError) -> Finding:
    """Return the finding of a text that is no plain YAML, or whose parts cannot be read."""
    if not isinstance(error, FormatError) or error.path != path:
        return Finding("YAML", "error", path, 1, 1, str(error), "")
    return Finding("YAML", "error", path, error.line or 1, error.column or 1, error.what, "")


def _names(document: Document) -> dict[str, dict[str, int]]:
    value = document.value if isinstance(document.value, dict) else {}
    sections = {name: value[name] for name in NAMED if isinstance(value.get(name), dict)}
    return {
        section: {name: document.place((section, name)).line for name in members}
        for section, members in sections.items()
    }
