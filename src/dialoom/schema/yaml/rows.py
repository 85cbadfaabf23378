"""Reads rows of tables, and the policy, from files in the folder of the task file.

    briefing:
      policy: {file: policy.md}

    tables:
      bookings:
        file: bookings.csv      # its first line names columns of the table
        columns: …

An empty cell is no value; several values of a slot are separated by semicolons.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from dialoom.errors import SchemaError, clip
from dialoom.schema.places import Document, read_text

FILE, GIVEN = "file", "given"
"""Keys of a table: the file with rows, and the rows themselves."""

MOST_BYTES = 50_000_000
"""The largest file of rows: as many as a table may have, of 500 bytes each."""

_Raw = Mapping[str, Any]


def with_policy(document: Document, folder: Path | None) -> Document:
    """Return a document with its policy's text; `SchemaError` for a text without a folder."""
    value = document.value
    briefing: Any = value.get("briefing") if isinstance(value, dict) else None
    policy = briefing.get("policy") if isinstance(briefing, dict) else None
    if not isinstance(policy, dict) or not isinstance(policy.get(FILE), str):
        return document
    if folder is None:
        what = f"{clip(policy[FILE])}: a text has no folder; write it out"
        line = document.place(("briefing", "policy")).line
        raise SchemaError(document.path, what, line=line, code="no-folder")
    text = read_text(folder / policy[FILE], "a policy", MOST_BYTES)
    return document._replace(value={**value, "briefing": {**briefing, "policy": text}})


def with_rows(document: Document, folder: Path | None) -> Document:
    """Return a document with its tables' rows from files in `folder`; or `SchemaError`."""
    value = document.value
    tables = value.get("tables") if isinstance(value, dict) else None
    if not isinstance(tables, dict):
        return document
    read: dict[str, Any] = {}
    for name, table in tables.items():
        read[name] = table
        if isinstance(table, dict) and isinstance(table.get(FILE), str):
            read[name] = {key: entry for key, entry in table.items() if key != FILE}
            read[name][GIVEN] = [
                *(table.get(GIVEN) or ()),
                *_rows(document, name, table, folder),
            ]
    return document._replace(value={**value, "tables": read})


def _rows(
    document: Document, name: str, table: _Raw, folder: Path | None
) -> Iterator[dict[str, Any]]:
    if folder is None:
        what = f"{clip(table[FILE])}: a text has no folder; write the rows"
        line = document.place(("tables", name, FILE)).line
        raise SchemaError(document.path, what, line=line, code="no-folder")
    file = folder / table[FILE]
    columns = table.get("columns")
    kinds = {
        column: _kind(document.value, spec)
        for column, spec in (columns if isinstance(columns, dict) else {}).items()
    }
    reader = csv.DictReader(io.StringIO(read_text(file, "a CSV file", MOST_BYTES)), strict=True)
    try:
        header = list(reader.fieldnames or ())
        for number, column in enumerate(header):
            if column not in kinds:
                what = f"the table {name} has no column {clip(column)}"
                raise SchemaError(file, what, line=1, code="unknown-name")
            if column in header[:number]:
                what = f"the column {column} again; name it once"
                raise SchemaError(file, what, line=1, code="twice")
        if not header:
            what = "the first line should name columns of the table"
            raise SchemaError(file, what, line=1, code="empty")
        for row in reader:
            if None in row or None in row.values():
                what = f"there should be {len(header)} values, as in line 1"
                raise SchemaError(file, what, line=reader.line_num, code="mismatch")
            yield {column: _value(kinds[column], text) for column, text in row.items() if text}
    except csv.Error as error:
        raise SchemaError(file, str(error), line=reader.line_num, code="bad-line") from None


def spell_rows(columns: list[str], rows: Iterable[_Raw]) -> str:
    """Return rows as a CSV file, which reads back as the same rows."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _plain(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _kind(task: _Raw, column: Any) -> str:
    spec = column if isinstance(column, dict) else {}
    slots = task.get("slots")
    slot = slots.get(spec.get("slot")) if isinstance(slots, dict) else None
    return str((slot if isinstance(slot, dict) else spec).get("type", ""))


def _value(kind: str, text: str) -> Any:
    """Return the value of a cell; a text of another type is left for the checks."""
    if kind == "boolean":
        return {"true": True, "false": False}.get(text.lower(), text)
    if kind in ("integer", "amount", "serial"):
        try:
            return float(text) if "." in text else int(text)
        except ValueError:
            return text
    return text
