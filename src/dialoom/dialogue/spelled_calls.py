"""Function calls as systems write them: text, or JSON objects with a name and arguments.

call("weather(Day='Sunday')", place)                      # Query(api="weather", constraints=…)
call({"name": "weather", "arguments": '{"Day": "Sunday"}'}, place)
calls("[weather(Day='Sunday'), weather(Day='Monday')]", place)
calls("weather('Sunday')", place, {"weather": ("Day",)})  # its parameters name the argument
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import Query
from dialoom.errors import FormatError

Parameters = Mapping[str, Sequence[str]]
"""Function, without its module, to the names of its parameters in order."""

NO_PARAMETERS: Parameters = {}


def call(value: Any, place: str, parameters: Parameters = NO_PARAMETERS) -> Query:
    """Return the call that a value spells: Python text, or an object of name and arguments."""
    name, arguments = _spelled(value, parameters) or ("", None)
    if not isinstance(name, str) or not name or not isinstance(arguments, dict):
        what = f"{value!r} is no call; expected `name(slot='value')` or {{name, arguments}}"
        raise FormatError(place, what)
    constraints = (Constraint(str(slot), "equal", (one,)) for slot, one in arguments.items())
    return Query(id="", api=name, constraints=tuple(constraints))


def calls(value: Any, place: str, parameters: Parameters = NO_PARAMETERS) -> tuple[Query, ...]:
    """Return the calls that an answer spells, in the order in which it names them.

    Args:
        value: As `call`, or a list of such; text of a list, of JSON or of calls as of Python; or a
            message in the OpenAI wire format, with `tool_calls`.
        place: The place of the answer, for errors.
        parameters: The functions that name arguments without a name; others name them "1", "2", ….

    Raises:
        FormatError: It spells no calls.
    """
    one = partial(call, place=place, parameters=parameters)
    several = partial(calls, place=place, parameters=parameters)
    if isinstance(value, str):
        text = value.strip().strip("`").removeprefix("json").removeprefix("python").strip()
        if isinstance(entry := _json(text), list | dict):
            return several(entry)
        return tuple(map(one, _split(text) or [text]))
    if isinstance(value, dict):
        for key in ("message", "tool_calls"):
            if key in value:
                return several(value[key] or [])
        if not {"name", "function"} & value.keys():
            return tuple(one({name: arguments}) for name, arguments in value.items())
        return (one(value),)
    if not isinstance(value, list):
        raise FormatError(place, f"{value!r} spells no calls")
    return tuple(entry for each in value for entry in several(each))


def _split(text: str) -> list[str] | None:
    try:
        node = ast.parse(text if text.startswith("[") else f"[{text}]", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    valid = isinstance(node, ast.List) and all(isinstance(each, ast.Call) for each in node.elts)
    return [ast.unparse(each) for each in node.elts] if valid else None  # type: ignore[attr-defined]


def spelled(
    text: str, parameters: Parameters, literal: Callable[[ast.expr], Any] = ast.literal_eval
) -> tuple[str, dict[str, Any]] | None:
    """Return the name and arguments of a call in Python; None for another text."""
    try:
        node = ast.parse(text, mode="eval").body
        if not isinstance(node, ast.Call):
            return None
        name = ast.unparse(node.func)
        names = [*parameters.get(name.rpartition(".")[2], ())][: len(node.args)]
        names += [str(n + 1) for n in range(len(names), len(node.args))]
        arguments = dict(zip(names, map(literal, node.args), strict=True))
        return name, arguments | {one.arg or "**": literal(one.value) for one in node.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None


def _spelled(value: Any, parameters: Parameters) -> tuple[Any, Any] | None:
    if isinstance(value, str):
        return _of_text(value.strip(), parameters)
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


def _of_text(text: str, parameters: Parameters) -> tuple[Any, Any] | None:
    if text.startswith("{"):
        content = _json(text)
        return _spelled(content, parameters) if isinstance(content, dict) else None
    return spelled(text, parameters, _literal)


def _literal(node: ast.expr) -> Any:
    """Return the value of an argument; a bare name is the text of a variable's name."""
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)
