"""The arguments of a tool call, converted between a query's constraints and a JSON object.

    {"area": "north", "price": {"at_most": 30}, "stars": {"one_of": [3, 4]},
     "time": {"all_of": [{"at_least": "18:00"}, {"at_most": "20:00"}]}, "note": {"text": "0314"}}

A plain value means equality. Other operators are keys around their values, several conditions on
one parameter are a list under `all_of`, and text that could not be parsed is under `text`. Values
that constraints do not have, such as lists, are kept as JSON, without an operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, get_args

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import Constraint, Operator
from dialoom.formats.base.values import Json
from dialoom.formats.chat.marks import parse, spell

ALL, TEXT = "all_of", "text"

OPERATORS: dict[str, Operator] = {operator: operator for operator in get_args(Operator)}


def read(arguments: Json) -> tuple[Constraint, ...]:
    """Return an arguments object's constraints; callers keep a spelling that `write` changes."""
    return tuple(c for slot, value in arguments.items() for c in _constraints(slot, value))


def exact(arguments: Json) -> Iterator[Constraint]:
    """Yield constraints from which `write` makes the same object, whatever its values are."""
    for slot, value in arguments.items():
        if isinstance(value, dict | list):
            yield Constraint(slot, None, (), spell(value, {}))
        else:
            yield Constraint(slot, values=(value,))


def write(constraints: Iterable[Constraint]) -> Json:
    """Return the object of arguments for some constraints."""
    groups: dict[str, list[Any]] = {}
    for constraint in constraints:
        groups.setdefault(constraint.slot, []).append(_value(constraint))
    return {slot: group[0] if len(group) == 1 else {ALL: group} for slot, group in groups.items()}


def _constraints(slot: str, value: Any) -> Iterator[Constraint]:
    if isinstance(value, dict) and list(value) == [ALL]:
        inner = value[ALL]
        if isinstance(inner, list) and len(inner) > 1:
            yield from (_constraint(slot, each) for each in inner)
            return
    yield _constraint(slot, value)


def _constraint(slot: str, value: Any) -> Constraint:
    if not isinstance(value, dict | list):
        return Constraint(slot, values=(value,))
    if isinstance(value, dict) and len(value) == 1:
        [(key, operand)] = value.items()
        if key == TEXT and isinstance(operand, str):
            return Constraint(slot, None, (), operand)
        values = _values(operand)
        if key in OPERATORS and values is not None:
            return Constraint(slot, OPERATORS[key], values)
    return Constraint(slot, None, (), spell(value, {}))


def _values(operand: Any) -> tuple[Value, ...] | None:
    values = tuple(operand) if isinstance(operand, list) else (operand,)
    return None if any(isinstance(value, dict | list) for value in values) else values


def _value(constraint: Constraint) -> Any:
    if constraint.operator is None:
        return _unread(constraint.raw or "")
    values = list(constraint.values)
    if len(values) != 1 or constraint.operator == "one_of":
        return {constraint.operator: values}
    return values[0] if constraint.operator == "equal" else {constraint.operator: values[0]}


def _unread(text: str) -> Any:
    try:
        value = parse(text)
    except ValueError:
        return {TEXT: text}
    return value if isinstance(value, dict | list) else {TEXT: text}
