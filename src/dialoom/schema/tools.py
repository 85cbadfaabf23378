"""A task's calls as tool definitions of the OpenAI wire format, arguments as JSON Schema.

    tools(load("hotel_book"))[0]
    # {"type": "function", "function": {"name": "hotel_book", "description": "…",
    #  "parameters": {"type": "object", "properties": {"Name": {"type": "string", "enum": […]}, …},
    #                 "required": ["Name", …], "additionalProperties": False}}}

Each call of a task file, API of STAR or intent of an SGD service becomes one tool, with arguments
spelled as in the queries of dialogues.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.dialogue.event import BOOK, CHECK
from dialoom.schema.arithmetic import is_number
from dialoom.schema.call import Call, Column
from dialoom.schema.lexicon import split_name
from dialoom.schema.service import ServiceSlot
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

LONGEST = 64
"""Most characters of a function's name in the wire format."""

DRAFT = "https://json-schema.org/draft/2020-12/schema"

_Json = dict[str, Any]

_FOREIGN = re.compile(r"[^A-Za-z0-9_-]")
_CLOCK = r"^([01]\d|2[0-3]):[0-5]\d$"


def tools(task: TaskSchema) -> list[_Json]:
    """Return a tool definition for each call of a task, in the task's order."""
    return toolbox({task.id: task})


def toolbox(tasks: Mapping[str, TaskSchema]) -> list[_Json]:
    """Return a tool definition for each call of several tasks; no two have the same name."""
    names = function_names(tasks)
    return [
        {
            "type": "function",
            "function": {
                "name": names[key, call],
                "description": description,
                "parameters": arguments,
            },
        }
        for key, task in tasks.items()
        for call, description, arguments in _calls(task)
    ]


def function_names(tasks: Mapping[str, TaskSchema]) -> dict[tuple[str, str], str]:
    """Return (task, call) to the name of its function, which no other call of the tasks has.

    The name is the call's, with underscores for invalid characters, cut to LONGEST; where several
    tasks have a call of that name (FindEvents of two services), the task's id precedes it.
    """
    pairs = [(key, call) for key, task in tasks.items() for call, _, _ in _calls(task)]
    plain = {pair: function_name(pair[1]) for pair in pairs}
    often = Counter(plain.values())
    names: set[str] = set()
    by_pair: dict[tuple[str, str], str] = {}
    for pair in pairs:
        name = plain[pair] if often[plain[pair]] == 1 else function_name(f"{pair[0]}-{pair[1]}")
        number = 1
        while name in names:
            number += 1
            ending = f"-{number}"
            name = name[: LONGEST - len(ending)] + ending
        names.add(name)
        by_pair[pair] = name
    return by_pair


def arguments_schema(task: TaskSchema) -> _Json:
    """Return the JSON Schema of a call of the task: one of `{"name": …, "arguments": {…}}`.

    Names are those of the calls, as in queries.
    """
    calls = [
        {
            "type": "object",
            "description": description,
            "properties": {"name": {"const": call}, "arguments": arguments},
            "required": ["name", "arguments"],
            "additionalProperties": False,
        }
        for call, description, arguments in _calls(task)
    ]
    head: _Json = {"$schema": DRAFT, "title": f"calls of {task.id}"}
    if not calls:
        return head | {"not": {}}
    return head | {"oneOf": calls}


def function_name(name: str) -> str:
    """Return a name in the form of the wire format: at most 64 letters, digits, _ and -."""
    return _FOREIGN.sub("_", name)[:LONGEST] or "_"


def _calls(task: TaskSchema) -> Iterator[tuple[str, str, _Json]]:
    for call in task.calls.values():
        what = call.description or ("" if task.is_service else task.purpose(call))
        yield call.name, what or " ".join(split_name(call.name)), parameters(task, call)


def parameters(task: TaskSchema, call: Call) -> _Json:
    """Return the JSON Schema of a call's arguments."""
    if call.published is not None:
        return call.published
    properties = {column.name: _column(task, column) for column in call.inputs}
    required = {"required": list(call.required)} if call.required else {}
    return {"type": "object", "properties": properties, **required, "additionalProperties": False}


def _column(task: TaskSchema, column: Column) -> _Json:
    if task.is_service:
        offered = contract(task).slot(column.name) or ServiceSlot(name=column.name)
        schema = _service_slot(offered, column.default)
        return schema | ({"description": offered.description} if offered.description else {})
    slot = task.slots.get(column.slot or "")
    if slot is not None:
        schema = _slot(slot)
    elif column.type == "request":
        schema = {"type": "string", "enum": [CHECK, BOOK]}
    else:
        schema = _listed(column.values)
    description = column.description or (slot.description if slot is not None else "")
    return schema | ({"description": description} if description else {})


def _slot(slot: Slot) -> _Json:
    if slot.type == "category":
        return {"type": "string", "enum": list(slot.values)}
    if slot.type == "categories":
        item = {"type": "string", "enum": list(slot.values)}
        return {"type": "array", "items": item, "minItems": 1}
    if slot.type in ("integer", "amount"):
        steps = (slot.minimum or 0, slot.step)
        whole = slot.type == "integer" or all(float(n).is_integer() for n in steps)
        limits = {"minimum": slot.minimum, "maximum": slot.maximum}
        bounds = {key: limit for key, limit in limits.items() if is_number(limit)}
        return {"type": "integer" if whole else "number", **bounds}
    if slot.type == "boolean":
        return {"type": "boolean"}
    if slot.type == "date":
        return {"type": "string", "format": "date"}
    return {"type": "string", "pattern": _CLOCK} if slot.type == "time" else {"type": "string"}


def _listed(values: tuple[Any, ...]) -> _Json:
    if not values:
        return {"type": "string"}
    plain = all(isinstance(value, str) for value in values)
    return ({"type": "string"} if plain else {}) | {"enum": list(dict.fromkeys(values))}


def _service_slot(slot: ServiceSlot, default: Any) -> _Json:
    """Return a service slot's JSON Schema; a default that is no possible value is added."""
    if slot.possible_values and slot.categorical:
        outside = () if default is None else (default,)
        schema = _listed((*slot.possible_values, *outside))
    else:
        schema = {"type": "string"}
    return schema if default is None else schema | {"default": default}
