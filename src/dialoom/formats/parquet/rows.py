"""Rows of the tables: dialogues, events and tasks as values of named columns, and back.

    turn_row(Utterance(agent="user", text="For two."), 0)
    # {"type": "utterance", "agent": "user", "text": "For two.", "time": None, …, "rest": None}

JSON values in columns are text. No value is in two columns, so that a cell that is changed with
another tool changes the dialogue.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from dialoom.corpus.files import check_depth
from dialoom.dialogue import Dialogue, Utterance
from dialoom.dialogue.annotation import GOLD, Layer
from dialoom.dialogue.event import Event
from dialoom.errors import FormatError
from dialoom.schema.task import TaskSchema

TEXT, WHOLE, TEXTS, JSON, MESSAGES = "text", "whole", "texts", "json", "messages"
"""Types of columns: text, a 64-bit integer, a list of texts, JSON as text, chat messages."""

DIALOGUES = {"id": TEXT, "services": TEXTS, "events": WHOLE}
DIALOGUES |= dict.fromkeys(("outcome", "batch", "provenance"), TEXT)
DIALOGUES |= dict.fromkeys(("scenario", "workers", "answers"), JSON)
DIALOGUES |= {"origin_file": TEXT, "origin_index": WHOLE, "extra": JSON, "rest": JSON}
"""The columns of the table of dialogues."""

PARTS = {
    "acts": "acts",
    "spans": "spans",
    "states": "state",
    "frames": "frames",
    "active_frames": "active_frame",
    "part_extra": "extra",
}
"""Column to the field of a part; a cell has one entry for each part of the published layer."""

TURNS = {"dialogue_index": WHOLE, "dialogue_id": TEXT, "index": WHOLE, "agent": TEXT, "type": TEXT}
TURNS |= {"time": WHOLE, "text": TEXT, "services": TEXTS, **dict.fromkeys(PARTS, JSON)}
TURNS |= {"layers": JSON, "id": TEXT, "api": TEXT, "service": TEXT, "constraints": JSON}
TURNS |= {"query": TEXT, "items": JSON, "total": WHOLE, "candidates": JSON, "choice": TEXT}
TURNS |= {"selected": JSON, "extra": JSON, "rest": JSON}
"""The columns of the table of turns: those of a dialogue, then those of each kind of event."""

SCHEMAS = {"id": TEXT, "name": TEXT, "language": TEXT, "task": JSON}
"""The columns of the table of schemas; `task` has the whole schema."""

CHAT = {"id": TEXT, "messages": MESSAGES, "tools": JSON}
"""The columns of a table of chat rows; trainers read tools from JSON text."""

Row = dict[str, Any]
"""Column to cell; None for an empty one."""

T = TypeVar("T")

_LIMIT = 1 << 63


def dialogue_row(dialogue: Dialogue) -> Row:
    """Return a dialogue's row."""
    value = msgspec.to_builtins(msgspec.structs.replace(dialogue, events=()))
    origin = value.pop("origin", {})
    del value["events"]
    value |= {f"origin_{field}": entry for field, entry in origin.items()}
    row = _row(value, DIALOGUES)
    return row | {"events": len(dialogue.events), "provenance": dialogue.provenance}


def turn_row(event: Event) -> Row:
    """Return an event's row, without the columns for its dialogue and index."""
    layers = event.layers if isinstance(event, Utterance) else ()
    if layers:
        event = msgspec.structs.replace(event, layers=())
    value = msgspec.to_builtins(event)
    value["agent"] = event.agent
    if layers:
        value |= _layers(layers)
    return _row(value, TURNS)


def task_row(task: TaskSchema) -> Row:
    """Return a task's row."""
    text = msgspec.json.encode(task).decode()
    return {"id": task.id, "name": task.name, "language": task.language, "task": text}


def dialogue(row: Mapping[str, Any], events: Sequence[Event], path: Path) -> Dialogue:
    """Return the dialogue of a row and its events; `FormatError` for a damaged cell."""
    value = _value(row, DIALOGUES, path)
    del value["events"]
    origin = {
        field: value.pop(f"origin_{field}")
        for field in ("file", "index")
        if f"origin_{field}" in value
    }
    if origin:
        value["origin"] = origin
    bare = _convert({**value, "events": []}, Dialogue, path, str(row["id"]), None)
    return msgspec.structs.replace(bare, events=tuple(events))


def event(row: Mapping[str, Any], path: Path) -> Event:
    """Return the event of a row; `FormatError` for a damaged cell."""
    value = _value(row, TURNS, path)
    for field in ("dialogue_index", "dialogue_id", "index"):
        value.pop(field, None)
    place, number = str(row["dialogue_id"]), row["index"]
    parts = {field: value.pop(field) for field in ("services", *PARTS) if field in value}
    if "services" in parts:
        gold = {"source": GOLD, "parts": _parts(parts, path, place, number)}
        value["layers"] = [gold, *value.get("layers", ())]
    record: Event = _convert(value, Event, path, place, number)  # type: ignore[arg-type]
    return record


def task(row: Mapping[str, Any], path: Path) -> TaskSchema:
    """Return the task of a row; `FormatError` if it has none."""
    try:
        return msgspec.json.decode(row["task"] or "", type=TaskSchema)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise FormatError(path, f"task {row['id']!r} is no task schema: {error}") from error


def _layers(layers: Sequence[Layer]) -> Row:
    first = layers[0]
    if first.source != GOLD or first.extra:
        return {"layers": msgspec.to_builtins(layers)}
    row: Row = {"services": [part.service for part in first.parts]}
    for column, field in PARTS.items():
        cells = [msgspec.to_builtins(getattr(part, field)) for part in first.parts]
        if any(cell is not None and (field != "extra" or cell) for cell in cells):
            row[column] = cells
    if layers[1:]:
        row["layers"] = msgspec.to_builtins(layers[1:])
    return row


def _parts(cells: Row, path: Path, dialogue: str, number: Any) -> list[Row]:
    services = cells.pop("services")
    parts: list[Row] = [{"service": service} for service in services]
    for column, entries in cells.items():
        if not isinstance(entries, list) or len(entries) != len(parts):
            what = f"{column} must be a list of {len(parts)}, one for each of services"
            raise FormatError(path, what, dialogue=dialogue, event=_number(number), code="mismatch")
        for part, entry in zip(parts, entries, strict=True):
            if entry is not None:
                part[PARTS[column]] = entry
    return parts


def _row(value: Row, columns: Mapping[str, str]) -> Row:
    """Return values by column; those without a column, or too large for it, are in `rest`."""
    rest = {}
    row: Row = dict.fromkeys(columns)
    for name, cell in value.items():
        kind = columns.get(name)
        if kind is None or (kind == WHOLE and not (-_LIMIT <= cell < _LIMIT)):
            rest[name] = cell
        elif kind == JSON:
            row[name] = _encode(cell)
        else:
            row[name] = cell
    if rest:
        row["rest"] = _encode(rest)
    return row


def _value(row: Mapping[str, Any], columns: Mapping[str, str], path: Path) -> Row:
    value: Row = {}
    for name, kind in columns.items():
        cell = row[name]
        if isinstance(cell, float):  # pandas makes integers floats in columns with empty cells
            cell = int(cell) if cell.is_integer() else None if math.isnan(cell) else cell
        if cell is not None:
            value[name] = _decode(cell, name, path) if kind == JSON else cell
    rest = value.pop("rest", {})
    if not isinstance(rest, dict):
        raise FormatError(path, "rest must be a JSON object")
    return rest | value


def _encode(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _decode(cell: str, column: str, path: Path) -> Any:
    try:
        value = msgspec.json.decode(cell)
        check_depth(value)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise FormatError(
            path, f"a cell of {column} is not JSON: {error}", code="not-json"
        ) from error
    return value


def _convert(value: Row, type: type[T], path: Path, dialogue: str, number: Any) -> T:
    try:
        return msgspec.convert(value, type)
    except msgspec.ValidationError as error:
        what = f"not as the columns say: {error}"
        raise FormatError(path, what, dialogue=dialogue, event=_number(number)) from error


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) else None
