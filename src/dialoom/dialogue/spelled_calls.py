"""Function calls as systems write them: text, or JSON objects with a name and arguments.

call("weather(Day='Sunday')", place)                      # Query(api="weather", constraints=…)
call({"name": "weather", "arguments": '{"Day": "Sunday"}'}, place)
"""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import Query
from dialoom.errors import FormatError


def call(value: Any, place: str) -> Query:
    """Return the call that a value spells.

    Args:
        value: Text as of Python, an object `{name, arguments}`, or `{name: arguments}`.
        place: Where it stands, for messages.

    Raises:
        FormatError: It spells no call.
    """
    name, arguments = _spelled(value) or ("", None)
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        what = f"{value!r} is no call; expected `name(slot='value')` or {{name, arguments}}"
        raise FormatError(place, what)
    constraints = (Constraint(str(slot), "equal", (one,)) for slot, one in arguments.items())
    return Query(id="", api=name, constraints=tuple(constraints))


def _spelled(value: Any) -> tuple[Any, Any] | None:
    """Return name and arguments; None if the value is neither text of a call nor such an object."""
    if isinstance(value, str):
        return _of_text(value.strip())
    if not isinstance(value, dict):
        return None
    value = value.get("function", value)
    if isinstance(value, dict) and "name" in value:
        arguments = value.get("arguments", value.get("parameters", {}))
        return value["name"], _json(arguments)
    return next(iter(value.items())) if isinstance(value, dict) and len(value) == 1 else None


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
        named = {one.arg or "**": ast.literal_eval(one.value) for one in node.keywords}
        given = {str(n): ast.literal_eval(one) for n, one in enumerate(node.args)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return ast.unparse(node.func), given | named
