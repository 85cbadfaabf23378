"""Definitions of tools as schemas of tasks, in every spelling that people have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.errors import SchemaError
from dialoom.schema.services import contract
from tests.make import refuses

PROPERTIES: dict[str, dict[str, Any]] = {
    "city": {"type": "string", "description": "The city."},
    "seats": {"type": "integer", "minimum": 1, "maximum": 3},
    "outside": {"type": "boolean"},
    "area": {"type": "string", "enum": ["north", "south"]},
}
SCHEMA: dict[str, Any] = {"type": "object", "properties": PROPERTIES, "required": ["city", "seats"]}
LISTED = [{"name": n, "required": n in SCHEMA["required"], **p} for n, p in PROPERTIES.items()]
TOOL: dict[str, Any] = {"name": "book_table", "description": "Book a table."}


@pytest.mark.parametrize(
    "value",
    [
        [{"type": "function", "function": TOOL | {"parameters": SCHEMA}}],
        {"tools": [TOOL | {"input_schema": SCHEMA}]},
        {"tools": [TOOL | {"inputSchema": SCHEMA}]},
        TOOL | {"parameters": SCHEMA},
        {"food": {"description": "Tables.", "tools": [TOOL | {"parameters": LISTED}]}},
    ],
)
def test_each_tool_becomes_a_task(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "tools.json"
    file.write_text(json.dumps(value))
    (task,) = formats.schemas(file).values()
    service = contract(task)
    (intent,) = service.intents
    assert (task.id, intent.name, intent.transactional) == ("book_table", "book_table", True)
    assert intent.required == ("city", "seats")
    assert list(intent.optional) == ["outside", "area"]
    values = {slot.name: slot.possible_values for slot in service.slots}
    assert values["area"] == ("north", "south")
    assert len(values["seats"]) == 3
    assert values["city"] == ()


def test_functions_that_only_read_are_no_transactions(tmp_path: Path) -> None:
    file = tmp_path / "tools.jsonl"
    tools = [TOOL | {"name": name, "parameters": SCHEMA} for name in ("findTable", "cancel_table")]
    file.write_text("\n".join(map(json.dumps, tools)))
    tasks = formats.schemas(file)
    kinds = {name: contract(task).intents[0].transactional for name, task in tasks.items()}
    assert kinds == {"findTable": False, "cancel_table": True}


@pytest.mark.parametrize("value", [{"a": 1}, [{"name": "x"}], [1], "text"])
def test_what_is_no_schema_is_named(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(value))
    with refuses(SchemaError, "no-task"):
        formats.schemas(file)
