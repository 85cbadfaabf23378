"""Reads task files (docs/reference/task-file.md): YAML is parsed, checked and made a task.

A file is checked against the grammar first; the parts that conform are then checked for errors in
slots and calls, in the flow, and in the texts. All findings come at once, each with its place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dialoom.errors import SchemaError, UnknownNameError
from dialoom.schema.findings import Finding, Report, TooManyError
from dialoom.schema.lexicon import lexicon
from dialoom.schema.places import Document
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.check_calls import check_calls, check_changes
from dialoom.schema.yaml.check_flow import check_flow, check_turns
from dialoom.schema.yaml.check_slots import check_conditions, check_slots
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


def read_task(path: Path) -> TaskSchema:
    """Read a task file; `SchemaError` with the first of its errors."""
    return make(read_file(path))


def read_text(text: str, name: str = "<text>") -> TaskSchema:
    """Read a task file's text; `name` is for messages; `SchemaError` with its first error."""
    return make(read_string(text, name))


def make(document: Document, *, trusted: bool = False) -> TaskSchema:
    """Return a document's task, unchecked if `trusted`; `SchemaError` with its first error."""
    if trusted:
        return build(fit(document.value, TASK_FILE, Report(document)))
    report, task = review_and_build(document)
    refuse(report)
    return task


def refuse(report: Report) -> None:
    """Raise `SchemaError` with the first of the errors, and the number of others."""
    errors = report.errors
    if errors:
        first = errors[0]
        more = f"; {len(errors) - 1} more: dialoom schema check" if len(errors) > 1 else ""
        what = f"{first.code} {first.message}{more}"
        raise SchemaError(first.file, what, line=first.line, column=first.column)
