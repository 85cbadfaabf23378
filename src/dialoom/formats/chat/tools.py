"""Definitions of tools as services: each function is an intent, its parameters are the slots.

    [{"type": "function", "function": {"name": "book", "parameters": {"type": "object",
      "properties": {"area": {"type": "string", "enum": ["north", "south"]},
                     "seats": {"type": "integer", "minimum": 1, "maximum": 8}},
      "required": ["area"]}}}]

Read are the definitions of the OpenAI wire format with and without `function`, of Anthropic
(`input_schema`), MCP (`inputSchema`), BFCL (`response`) and tau2-bench (a list of parameters), in a
list, under `tools`, or by domain, the operations of OpenAPI 3 (openapi.py), and the ontologies of
other corpora (ontologies.py). Values of parameters that are free text are left out. Whether a call
changes anything is what the definition says (`writes`, tau2's `type`, MCP's `readOnlyHint`), or
else guessed from its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dialoom.dialogue import Origin
from dialoom.dialogue.annotation import Value
from dialoom.formats.base.values import Json, at, text_at
from dialoom.formats.chat.ontologies import ontology
from dialoom.formats.chat.openapi import is_openapi, operations
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import ANYTHING, Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema

RANGE = 31
"""Most whole numbers of a parameter with limits that become its listed values: days of a month."""

READS = frozenset(
    {"get", "find", "search", "list", "check", "look", "lookup", "show", "read", "calculate"}
    | {"fetch", "query", "compute", "count", "view", "retrieve", "compare", "verify", "validate"}
)
"""First words of names of functions that only read."""


def schemas_of(value: Any, file: Path) -> dict[str, TaskSchema] | None:
    """Return a task for each tool that a JSON value defines; None if it defines none."""
    tasks: dict[str, TaskSchema] = {}
    for number, tool in enumerate(ontology(value) or definitions(value)):
        name = tool["name"]
        service = service_of([tool], text_at(tool, "description"))
        task = from_service(name, service, origins=(Origin(file.name, number),))
        tasks.setdefault(name, task)
    return tasks or None


def definitions(value: Any) -> Iterator[Json]:
    """Yield the functions that a JSON value defines: `name` and `parameters`, a JSON Schema."""
    if is_openapi(value):
        yield from operations(value)
        return
    if isinstance(value, Mapping) and isinstance(value.get("function"), dict):
        value = value["function"]
    if isinstance(value, list):
        for each in value:
            yield from definitions(each)
    elif isinstance(at(value, dict).get("name"), str) and isinstance(_given(value), dict | list):
        yield value | {"parameters": _parameters(value)}
    elif isinstance(value, dict):
        tools = value.get("tools")
        inner = [tools] if isinstance(tools, list) else list(value.values())
        for each in inner if all(isinstance(each, dict | list) for each in inner) else ():
            yield from definitions(each)


def _given(value: Json) -> Any:
    keys = ("parameters", "input_schema", "inputSchema")
    return next((value[key] for key in keys if key in value), None)


def _parameters(value: Json) -> Json:
    raw = _given(value)
    if isinstance(raw, dict):
        return raw
    entries = [each for each in raw if isinstance(each, dict) and isinstance(each.get("name"), str)]
    required = [each["name"] for each in entries if each.get("required") is True]
    return {"properties": {each["name"]: each for each in entries}, "required": required}


def service_of(tools: Sequence[Json], description: str | None = None) -> Service:
    """Return a service with an intent for each of some tools; equal parameters are one slot."""
    slots: dict[str, ServiceSlot] = {}
    for tool in tools:
        fields = _properties(tool, "parameters") | _properties(tool, "response")
        for name, schema in fields.items():
            values, described = _values(schema), text_at(schema, "description")
            new = ServiceSlot(
                name=name, description=described, categorical=bool(values), possible_values=values
            )
            slots.setdefault(name, new)
    intents = tuple(map(_intent, tools))
    return Service(description=description, slots=tuple(slots.values()), intents=intents)


def _intent(tool: Json) -> ServiceIntent:
    demands = tool["parameters"].get("required")
    fields = _properties(tool, "parameters")
    needed = [name for name in fields if isinstance(demands, list) and name in demands]
    return ServiceIntent(
        name=tool["name"],
        description=text_at(tool, "description"),
        transactional=_writes(tool),
        required=tuple(needed),
        optional={name: _default(each) for name, each in fields.items() if name not in needed},
        results=tuple(_properties(tool, "response")),
    )


def _properties(tool: Json, key: str) -> dict[str, Json]:
    fields = at(tool, dict, key, "properties")
    return {name: each if isinstance(each, dict) else {} for name, each in fields.items()}


def _default(schema: Json) -> Value:
    default = schema.get("default", ANYTHING)
    return ANYTHING if isinstance(default, dict | list) else default


def _writes(tool: Json) -> bool:
    hint = at(tool, dict, "annotations").get("readOnlyHint")
    if isinstance(hint, bool):
        return not hint
    if isinstance(tool.get("writes"), bool):
        return bool(tool["writes"])
    if tool.get("type") in ("READ", "WRITE"):
        return bool(tool["type"] == "WRITE")
    return next(iter(split_name(tool["name"])), "") not in READS


def _values(schema: Json) -> tuple[Value, ...]:
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        return tuple(str(each) for each in choices if each is not None)
    if schema.get("type") == "boolean":
        return ("True", "False")
    low, high = schema.get("minimum"), schema.get("maximum")
    if type(low) is int and type(high) is int and 0 <= high - low < RANGE:
        return tuple(range(low, high + 1))
    return ()
