"""Operations of OpenAPI 3 as tasks: parameters, bodies, answers, references, JSON and YAML."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from dialoom import formats
from dialoom.errors import SchemaError
from dialoom.formats.chat.openapi import is_openapi, operations
from dialoom.schema.services import contract, to_task

AREA = {"name": "area", "in": "query", "required": True, "schema": {"enum": ["north", "south"]}}
SEATS = {"name": "seats", "in": "query", "schema": {"$ref": "#/components/schemas/Seats"}}
BODY = {
    "allOf": [
        {"required": ["guest"], "properties": {"guest": {"type": "string"}}},
        {"$ref": "#/components/schemas/Day"},
    ]
}
SPEC: dict[str, Any] = {
    "openapi": "3.1.0",
    "paths": {
        "/tables": {
            "parameters": [{"name": "Accept", "in": "header"}],
            "get": {
                "operationId": "findTables",
                "summary": "Find tables",
                "parameters": [AREA, SEATS, {"name": "session", "in": "cookie"}],
                "responses": {
                    "200": {"$ref": "#/components/responses/Tables"},
                    "404": {"description": "none"},
                },
            },
        },
        "/tables/{id}": {
            "put": {"requestBody": {"content": {"application/json": {"schema": BODY}}}},
        },
    },
    "components": {
        "schemas": {
            "Seats": {"type": "integer", "minimum": 1, "maximum": 3},
            "Day": {"required": ["day"], "properties": {"day": {"enum": ["monday", "friday"]}}},
            "Loop": {"$ref": "#/components/schemas/Loop"},
        },
        "responses": {
            "Tables": {
                "content": {
                    "application/json": {
                        "schema": {"type": "array", "items": {"properties": {"view": {}}}}
                    }
                }
            }
        },
    },
}


@pytest.mark.parametrize("suffix", ["json", "yaml"])
def test_each_operation_becomes_a_task(suffix: str, tmp_path: Path) -> None:
    file = tmp_path / f"api.{suffix}"
    file.write_text(json.dumps(SPEC) if suffix == "json" else yaml.safe_dump(SPEC))
    find, change = formats.schemas(file).values()
    (search,) = contract(find).intents
    assert (search.name, search.transactional) == ("findTables", False)
    assert (search.required, tuple(search.optional)) == (("area",), ("seats",))
    assert search.results == ("view",)
    values = {slot.name: slot.possible_values for slot in contract(find).slots}
    assert values["seats"] == (1, 2, 3)
    (update,) = contract(change).intents
    assert (update.name, update.transactional) == ("put_tables_id", True)
    assert set(update.required) == {"guest", "day"}
    assert to_task(find).flow.complete


def test_circles_and_missing_references_are_empty() -> None:
    schema = {"allOf": [{"$ref": "#/components/schemas/Loop"}, {"$ref": "#/nowhere/at/all"}]}
    operation = {"requestBody": {"content": {"application/json": {"schema": schema}}}}
    (tool,) = operations({**SPEC, "paths": {"/a": {"post": operation, "get": None}}})
    assert tool["parameters"] == {"type": "object", "properties": {}, "required": []}


@pytest.mark.parametrize("value", [{"swagger": "2.0", "paths": {}}, {"openapi": "3.0"}, [], "a"])
def test_other_values_are_no_description(value: Any) -> None:
    assert not is_openapi(value)


def test_a_yaml_file_without_tasks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("openapi: '2.0'\npaths: {}\n")
    with pytest.raises(SchemaError):
        formats.schemas(tmp_path / "a.yaml")
