"""Rules about calls of the tools that a dialogue itself defines, as chat files do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.formats.base.values import Json, spoken
from dialoom.formats.chat.arguments import write
from dialoom.formats.chat.marks import marks_of, parse
from dialoom.formats.chat.tools import definitions
from dialoom.quality.lint.context import LintContext
from dialoom.quality.lint.rule import CodeFound, check
from dialoom.schema.findings import hint

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "float": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "dict": (dict,),
    "null": (type(None),),
}
"""Type of JSON Schema, and of BFCL's dialect of it, to the types of its values."""


@check("E815", needs="queries")
def _check_calls(context: LintContext) -> Iterator[CodeFound]:
    tools = _tools(context.dialogue.extra)
    for index, query in context.queries:
        pointer, marks = f"/events/{index}", marks_of(query.extra)
        if "call" in marks or "unread" in marks:
            raw = marks.get("unread", marks.get("call"))
            yield "E812", f"{pointer}/constraints", f"its arguments are {str(raw)[-40:]!r}"
        elif tools and query.api not in tools:
            what = f"no tool is called {query.api!r}: {hint(query.api, tools)}"
            yield "E805", f"{pointer}/api", what
        elif tools:
            for code, what in _faults(tools[query.api], write(query.constraints)):
                yield code, f"{pointer}/constraints", f"{query.api}: {what}"


def _tools(extra: Mapping[str, Any]) -> dict[str, Json]:
    tools = marks_of(extra).get("tools")
    try:
        value = parse(tools) if isinstance(tools, str) else tools
    except ValueError:
        return {}
    return {tool["name"]: tool["parameters"] for tool in definitions(value)}


def _faults(schema: Json, arguments: Json) -> Iterator[tuple[str, str]]:
    properties = schema.get("properties")
    fields: Json = properties if isinstance(properties, dict) else {}
    required = schema.get("required")
    missing = [n for n in required if n not in arguments] if isinstance(required, list) else []
    if missing:
        yield "W801", f"is called without {', '.join(map(str, missing))}"
    for name, value in arguments.items():
        if name not in fields:
            if schema.get("additionalProperties") in (None, False):
                yield "E806", f"has no parameter {name!r}: {hint(name, fields)}"
            continue
        for what in _unfit(fields[name], value, name):
            yield "E815", what


def _unfit(schema: Any, value: Any, name: str) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    kinds = schema.get("type")
    names = kinds if isinstance(kinds, list) else [kinds]
    types = [each for kind in names for each in _TYPES.get(str(kind), ())]
    options = schema.get("enum")
    if types and type(value) not in types:
        yield f"{name} is {spoken(value)}; its definition has {' or '.join(map(str, names))}"
    elif isinstance(options, list) and value not in options:
        yield f"{name} is {value!r}: {hint(str(value), map(str, options))}"
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unfit(schema.get("items"), each, f"{name}[{number}]")
    elif isinstance(value, dict) and isinstance(schema.get("properties"), dict):
        for _, what in _faults(schema, value):
            yield f"{name} {what}"
