"""Function calls as systems write them: text, or JSON objects with a name and arguments.

call("weather(Day='Sunday')", place)                      # Query(api="weather", constraints=…)
call({"name": "weather", "arguments": '{"Day": "Sunday"}'}, place)
calls("[weather(Day='Sunday'), weather(Day='Monday')]", place)
"""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import Query
from dialoom.errors import FormatError


def call(value: Any, place: str) -> Query:
    """Return the call that a value spells: Python text, or an object of name and arguments."""
    name, arguments = _spelled(value) or ("", None)
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        what = f"{value!r} is no call; expected `name(slot='value')` or {{name, arguments}}"
        raise FormatError(place, what)
    constraints = (Constraint(str(slot), "equal", (one,)) for slot, one in arguments.items())
    return Query(id="", api=name, constraints=tuple(constraints))


def calls(value: Any, place: str) -> tuple[Query, ...]:
    """Return the calls that an answer spells, in the order in which it names them.

    Args:
        value: As `call`, or a list of such; text of a list, of JSON or of calls as of Python; or a
            message in the OpenAI wire format, with `tool_calls`.

    Raises:
        FormatError: It spells no calls.
    """
    if isinstance(value, str):
        text = value.strip().strip("`").removeprefix("json").removeprefix("python").strip()
        if isinstance(found := _json(text), list | dict):
            return calls(found, place)
        return tuple(call(each, place) for each in _split(text) or [text])
    if isinstance(value, dict):
        for key in ("message", "tool_calls"):
            if key in value:
                return calls(value[key] or [], place)
        if not {"name", "function"} & value.keys():
            return tuple(call({name: held}, place) for name, held in value.items())
        return (call(value, place),)
    if not isinstance(value, list):
        raise FormatError(place, f"{value!r} spells no calls")
    return tuple(found for each in value for found in calls(each, place))


def _split(text: str) -> list[str] | None:
    try:
        node = ast.parse(text if text.startswith("[") else f"[{text}]", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    known = isinstance(node, ast.List) and all(isinstance(each, ast.Call) for each in node.elts)
    return [ast.unparse(each) for each in node.elts] if known else None  # type: ignore[attr-defined]


def _spelled(value: Any) -> tuple[Any, Any] | None:
    if isinstance(value, str):
        return _of_text(value.strip())
    if not isinstance(value, dict):
        return None
    value = value.get("function", value)
    if isinstance(value, dict) and "name" in value:
        arguments = value.get("arguments", value.get("parameters", {}))
        return value["name"], _json(arguments)
    if not isinstance(value, dict) or len(value) != 1:
        return None
    ((name, arguments),) = value.items()
    return name, _json(arguments)


def _json(value: Any) -> Any:
    try:
        return msgspec.json.decode(value) if isinstance(value, str) else value
    except msgspec.DecodeError:
        return None


def _of_text(text: str) -> tuple[Any, Any] | None:
    if text.startswith("{"):
        found = _json(text)
        return _spelled(found) if isinstance(found, dict) else None
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        named = {one.arg or "**": _literal(one.value) for one in node.keywords}
        given = {str(n): _literal(one) for n, one in enumerate(node.args)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.unparse(node.func), given | named


def _literal(node: ast.expr) -> Any:
    """Return the value of an argument; a bare name is the text of a variable's name."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
