"""The grammar of task files as a JSON Schema (draft 2020-12), for editors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from dialoom.schema.yaml.grammar import TASK_FILE
from dialoom.schema.yaml.shapes import (
    Choice,
    Either,
    Flag,
    Listed,
    Mapped,
    Number,
    Record,
    Scalar,
    Shape,
    Text,
)

_Json = dict[str, Any]


def json_schema() -> _Json:
    """Return the JSON Schema of task files."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "dialoom task file",
        **_described(TASK_FILE),
    }


def spell() -> str:
    """Return the JSON Schema as the text that is stored in docs/task-file.schema.json."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def _described(shape: Shape) -> _Json:
    return {"description": shape.what} | _DESCRIPTIONS[type(shape)](shape)


def _text(shape: Text) -> _Json:
    found: _Json = {"type": "string", "minLength": 1, "maxLength": shape.longest}
    if shape.words:
        found = {"enum": list(shape.words)}
    if shape.pattern:
        found["pattern"] = f"^(?:{shape.pattern})$"
    return found


def _number(shape: Number) -> _Json:
    found: _Json = {"type": "integer" if shape.whole else "number"}
    if shape.least is not None:
        found["minimum"] = shape.least
    if shape.most is not None:
        found["maximum"] = shape.most
    return found


def _flag(shape: Flag) -> _Json:
    return {"type": "boolean"}


def _scalar(shape: Scalar) -> _Json:
    return {"type": ["string", "number", "boolean"]}


def _listed(shape: Listed) -> _Json:
    item = _described(shape.item)
    found: _Json = {"type": "array", "items": item, "maxItems": shape.most}
    if shape.least:
        found["minItems"] = shape.least
    return {"anyOf": [item, found]} if shape.lone else found


def _mapped(shape: Mapped) -> _Json:
    item = _described(shape.item)
    found: _Json = {
        "type": "object",
        "propertyNames": _text(shape.key),
        "additionalProperties": {"anyOf": [item, {"type": "null"}]} if shape.bare else item,
        "maxProperties": shape.most,
    }
    if shape.least:
        found["minProperties"] = shape.least
    if not shape.bare:
        return found
    names = {"type": "array", "items": _described(shape.key), "minItems": max(1, shape.least)}
    return {"anyOf": [found, names]}


def _record(shape: Record) -> _Json:
    found: _Json = {
        "type": "object",
        "properties": {key: _described(inside.shape) for key, inside in shape.fields.items()},
        "additionalProperties": False,
    }
    required = [key for key, inside in shape.fields.items() if inside.required]
    return found | ({"required": required} if required else {})


def _choice(shape: Choice) -> _Json:
    either = []
    for word, record in shape.records.items():
        found = _record(record)
        key = word if shape.by is None else shape.by
        if shape.by is not None:
            found["properties"][shape.by] = {"const": word}
        found["required"] = sorted({key, *found.get("required", ())})
        either.append(found)
    return {"oneOf": either}


def _either(shape: Either) -> _Json:
    return {"anyOf": [_text(shape.text), _record(shape.record)]}


_DESCRIPTIONS: dict[type, Callable[[Any], _Json]] = {
    Text: _text,
    Number: _number,
    Flag: _flag,
    Scalar: _scalar,
    Listed: _listed,
    Mapped: _mapped,
    Record: _record,
    Choice: _choice,
    Either: _either,
}
