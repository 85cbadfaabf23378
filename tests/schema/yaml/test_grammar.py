from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from dialoom.schema import pack
from dialoom.schema.pack import starter
from dialoom.schema.places import parse
from dialoom.schema.yaml.grammar import json_schema, spell
from tests.schema.starting import changed

STORED = Path(__file__).parents[3] / "docs" / "task-file.schema.json"
VALIDATOR = jsonschema.Draft202012Validator(json_schema())


def test_the_stored_schema_is_current() -> None:
    assert STORED.read_text(encoding="utf-8") == spell(), "run: dialoom schema jsonschema"
    jsonschema.Draft202012Validator.check_schema(json.loads(spell()))


@pytest.mark.parametrize("name", pack.names())
def test_bundled_tasks_validate(name: str) -> None:
    assert [error.message for error in VALIDATOR.iter_errors(pack.document(name).value)] == []


def test_the_starter_validates() -> None:
    assert VALIDATOR.is_valid(parse(starter("pizza_order"), "t").value)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    rows: 60", "    row: 60"),
        ("    rows: 60", "    rows: many"),
        ("    asks: time", "    ask: time"),
        ("    type: time ", "    type: tim "),
        ("    gives_none: true", "    gives_none: yes"),
        ("  ask_name:", "  AskName:"),
        ("language: en", "#"),
        ("    call: repair_book", "    system: [A]\n    call: repair_book"),
        ("    request: Check", "    request: check"),
        ("need: optional", "need: {unles: x}"),
    ],
)
def test_mistakes_of_shape_do_not_validate(old: str, new: str) -> None:
    value: Any = parse(changed((old, new)), "t").value
    assert not VALIDATOR.is_valid(value)
