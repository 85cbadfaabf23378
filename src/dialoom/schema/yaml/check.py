"""Checks of a task file: all findings at once, each with its place.

The file is checked against the grammar first; the parts that conform are then checked for errors in
slots and calls, in the flow, and in the texts. docs/reference/task-file.md lists the codes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dialoom.errors import UnknownNameError
from dialoom.schema.findings import Finding, Report, TooManyError
from dialoom.schema.lexicon import lexicon
from dialoom.schema.places import Document
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.check_calls import check_calls
from dialoom.schema.yaml.check_changes import check_changes
from dialoom.schema.yaml.check_conditions import check_conditions
from dialoom.schema.yaml.check_flow import check_flow
from dialoom.schema.yaml.check_slots import check_slots
from dialoom.schema.yaml.check_turns import check_turns
from dialoom.schema.yaml.check_words import check_words
from dialoom.schema.yaml.grammar import TASK_FILE
from dialoom.schema.yaml.including import read_file, read_string
from dialoom.schema.yaml.shapes import fit
from dialoom.schema.yaml.validation import ValidationContext

ENGLISH = "en"

_PARTS = (
    check_slots,
    check_calls,
    check_changes,
    check_flow,
    check_conditions,
    check_turns,
    check_words,
)


def check(path: Path) -> list[Finding]:
    """Return all findings about a file, in its order; `SchemaError` if it is not plain YAML."""
    return list(review(read_file(path)))


def check_text(text: str, name: str = "<text>") -> list[Finding]:
    """Return all findings about the text of a file `name`; `SchemaError` if not plain YAML."""
    return list(review(read_string(text, name)))


def review(document: Document) -> Report:
    """Check a document and return the report with all findings."""
    return review_and_build(document)[0]


def review_and_build(document: Document) -> tuple[Report, TaskSchema]:
    """Check a document; return the report and the task, without the parts that do not conform."""
    report = Report(document)
    task = build({})
    try:
        raw = fit(document.value, TASK_FILE, report) or {}
        task = build(raw)
        context = ValidationContext(document, task, report, _language(raw, report))
        _check_aliases(raw, report)
        for check_part in _PARTS:
            check_part(context)
    except TooManyError:
        report.cut()
    return report, task


def _language(raw: dict[str, Any], report: Report) -> str:
    language: str = raw.get("language") or ENGLISH
    try:
        lexicon(language)
    except UnknownNameError as error:
        report.add("E104", ("language",), str(error))
        return ENGLISH
    return language


def _check_aliases(raw: dict[str, Any], report: Report) -> None:
    names = {raw.get("task")}
    for number, alias in enumerate(raw.get("aliases") or ()):
        if alias in names:
            right = "every name of a task is listed once"
            report.add("E108", ("aliases", number), f"the alias {alias!r} again; {right}")
        names.add(alias)
