"""Reads task files (docs/reference/task-file.md): YAML is parsed, checked and made a task."""

from __future__ import annotations

from pathlib import Path

from dialoom.errors import SchemaError
from dialoom.schema.findings import Report
from dialoom.schema.places import Document
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.building import build
from dialoom.schema.yaml.check import review_and_build
from dialoom.schema.yaml.grammar import TASK_FILE
from dialoom.schema.yaml.including import read_file, read_string
from dialoom.schema.yaml.shapes import fit


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
