"""Calls compared with what the task publishes of them (`dialoom.schema.tools`).

list(call_faults(task, call, constraints))    # ["Time: '7pm' should match ^([01]…", …]

A call that an agent makes is compared before the knowledge base sees it: required inputs, types,
listed values, limits and forms, and what holds between the values of slots.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from typing import Any

from dialoom.dialogue.constraint import Constraint
from dialoom.errors import clip
from dialoom.schema.arithmetic import is_number
from dialoom.schema.call import Call, lacking
from dialoom.schema.findings import hint
from dialoom.schema.once import once_for_each
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import parameters

_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "number": (float, "a number"),
    "boolean": (bool, "true or false"),
}


def call_faults(task: TaskSchema, call: Call, constraints: Iterable[Constraint]) -> Iterator[str]:
    """Yield what is wrong with a call, in words for the agent that makes it."""
    arguments: dict[str, list[Any]] = {}
    for constraint in constraints:
        arguments.setdefault(constraint.slot, []).extend(constraint.values)
    firsts = {name: values[0] for name, values in arguments.items() if values}
    yield from (f"{name}: is required" for name in lacking(call, firsts))
    published = _published(task)[call.name]
    columns = {column.name for column in task.columns(call)}  # by which rows may be left out
    unknown = [name for name in arguments if name not in published and name not in columns]
    yield from (
        f"there is no input {clip(repr(name))}: {hint(name, published)}" for name in unknown
    )
    wrong = False
    for name, values in arguments.items():
        for value in values if name in published else ():
            schema = published[name].get("items", published[name])
            what = _unfit(value, schema) or _misspelled(value, schema)
            if what is not None:
                wrong = True
                yield f"{name}: {clip(repr(value))} {what}"
    if not wrong:
        slots = {c.slot: firsts[c.name] for c in call.inputs if c.slot and c.name in firsts}
        yield from (f"should hold: {words}" for _, words in task.broken(slots))


def argument_faults(call: Call, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults of arguments by a server's JSON Schema, as far as it is plain."""
    schema = call.published or {}
    inputs: Mapping[str, Any] = schema.get("properties") or {}
    yield from (f"{n}: is required" for n in schema.get("required") or () if n not in arguments)
    for name, value in arguments.items():
        if name not in inputs:
            if not schema.get("additionalProperties"):
                yield f"there is no input {clip(repr(name))}: {hint(name, inputs)}"
            continue
        what = _unfit(value, inputs[name])
        if what is not None:
            yield f"{name}: {clip(repr(value))} {what}"


@once_for_each
def _published(task: TaskSchema) -> dict[str, dict[str, Any]]:
    return {name: parameters(task, call)["properties"] for name, call in task.calls.items()}


def _unfit(value: Any, schema: Mapping[str, Any]) -> str | None:
    values = schema.get("enum")
    if values is not None:
        choices = map(str, values)
        return None if value in values else f"is no value of it: {hint(str(value), choices)}"
    kind, noun = _KINDS.get(str(schema.get("type", "")), (object, ""))
    if not _is(value, kind):
        return f"should be {noun}"
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    if isinstance(value, int | float) and not low <= value <= high:
        return f"should be between {low} and {high}"
    return None


def _is(value: Any, kind: type) -> bool:
    if kind in (int, float):
        return is_number(value) and (kind is float or float(value).is_integer())
    return isinstance(value, kind)


def _misspelled(value: Any, schema: Mapping[str, Any]) -> str | None:
    if not isinstance(value, str):
        return None
    if not value.strip():
        return "is empty"
    if "pattern" in schema and re.search(schema["pattern"], value) is None:
        return "should be a time, such as 19:00"
    if schema.get("format") == "date":
        try:
            date.fromisoformat(value)
        except ValueError:
            return "should be a date, such as 2021-05-03"
    return None
