"""Reads, changes and checks the text of a study's settings.

Names of files in a study count from the studio's folder, and files outside of it are mistakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from dialoom.collect.message import Refused
from dialoom.collect.settings import NO_GOALS, Settings
from dialoom.collect.settings_check import file_mistakes
from dialoom.collect.settings_schema import SECTIONS, settings_schema
from dialoom.collect.settings_types import Mistake
from dialoom.errors import DialoomError
from dialoom.schema import pack
from dialoom.schema.findings import Finding
from dialoom.schema.places import Document, Pointer
from dialoom.schema.yaml.editing import Change, edited, read_edited
from dialoom.schema.yaml.writing import scalar
from dialoom.serve.responses import Nothing
from dialoom.studio.folder import Recognised, StudioFolder
from dialoom.studio.tasks import checking, files

MARKS = {"stages", "tasks", "story", "purpose"}
"""Settings one of which is in every file that is recognised."""

FILES = ("tasks", "story", "corpus", "outputs", "goals", "prelabels")
"""Settings that name files."""


class EditedStudy(msgspec.Struct, frozen=True):
    """The text of a study's settings, saved or not."""

    path: str
    text: str


class StudyChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A change of one setting (`dialoom.schema.yaml.editing.Change`)."""

    pointer: list[str | int]
    value: Any = None
    after: bool = False


class StudyChanges(EditedStudy, frozen=True):
    """Changes of a text, in order."""

    changes: list[StudyChange]


def recognise(path: Path) -> Recognised | None:
    """Recognise a file that has only settings of a study; return None for others."""
    names = re.findall(rb"^([a-z_]+):", files.head(path), re.MULTILINE)
    keys = {key.decode() for key in names}
    valid = keys & MARKS and keys.issubset(Settings.__struct_fields__)
    return Recognised("settings") if valid else None


def read(folder: StudioFolder, request: files.AskedFile) -> dict[str, str]:
    """Return a file's text and tag; for a file that is not there, a name and no tag."""
    return files.read(folder, request, lambda name, _: f"name: {scalar(name)}\n")


def grammar(folder: StudioFolder, _: Nothing) -> dict[str, Any]:
    """Return the JSON Schema of settings, and the sections of the form."""
    return {"schema": settings_schema(), "sections": SECTIONS}


def change(folder: StudioFolder, changes: StudyChanges) -> dict[str, str]:
    """Return a text after changes; nothing is written."""
    folder.inside(changes.path)
    edits = (Change(tuple(each.pointer), each.value, each.after) for each in changes.changes)
    return {"text": edited(changes.text, edits, changes.path)}


def check(folder: StudioFolder, study: EditedStudy) -> dict[str, Any]:
    """Return the `findings` of a text, and its `value`; null if it has no settings to change."""
    folder.inside(study.path)
    try:
        document = read_edited(study.text, study.path)
    except DialoomError as error:
        return {"findings": [checking.unreadable(study.path, error)], "value": None}
    findings = [_finding(folder, document, each) for each in _mistakes(folder, document)]
    value = document.value if isinstance(document.value, dict) else None
    return {"findings": sorted(findings, key=lambda each: each.line), "value": value}


def _mistakes(folder: StudioFolder, document: Document) -> Iterator[Mistake]:
    wrong: list[Mistake] = []
    value = rooted(folder, document.value, wrong)
    yield from wrong or file_mistakes(document._replace(value=value))


def rooted(folder: StudioFolder, value: Any, wrong: list[Mistake], at: Pointer = ()) -> Any:
    """Return settings with absolute paths; files outside the folder become mistakes in `wrong`."""
    if isinstance(value, dict):
        return {key: rooted(folder, each, wrong, (*at, key)) for key, each in value.items()}
    if isinstance(value, list):
        return [rooted(folder, each, wrong, (*at, n)) for n, each in enumerate(value)]
    names = [key for key in at if isinstance(key, str)]
    is_file = names and (names[-1] in FILES or names[-2:] == ["gold", "items"])
    if not is_file or not isinstance(value, str) or value in ("", NO_GOALS):
        return value
    try:
        place = folder.inside(value)
    except Refused as refused:
        wrong.append(Mistake(at, refused.what))
        return value
    if names[-1] in ("tasks", "story"):
        return value if pack.as_path(value) is None else str(place)
    return value if names[-1] == "prelabels" and not place.exists() else str(place)


def _finding(folder: StudioFolder, document: Document, mistake: Mistake) -> Finding:
    line, column = document.place(mistake.pointer)
    pointer = "".join(f"/{key}" for key in mistake.pointer)
    what = mistake.what.replace(f"{folder.root}/", "")
    return Finding("STUDY", "error", document.path, line, column, what, pointer)
