"""Checks of what calls compute (`sets`, `also`), of weights, and of the day of the task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dialoom.schema.arithmetic import is_arithmetic, names
from dialoom.schema.call import Call, Column, Further
from dialoom.schema.findings import hint
from dialoom.schema.places import Pointer
from dialoom.schema.values import day_of
from dialoom.schema.yaml.building import plain
from dialoom.schema.yaml.check_slots import check_value
from dialoom.schema.yaml.validation import ValidationContext

KINDS = {"integer": "number", "amount": "number", "serial": "number", "date": "date"}
"""Type of slot or column to the kind of its values; others cannot be computed with."""


def check_changes(context: ValidationContext) -> None:
    """Report errors in computed values, weights and the day of the task."""
    today = context.task.today
    if today and day_of(today) is None:
        context.add("E308", ("today",), f"there is no day {today!r}; write it as 2021-05-03")
    for table in context.task.tables.values():
        for column in table.columns:
            if column.weights:
                _check_weights(context, column, ("tables", table.name, "columns", column.name))
    for call in context.task.calls.values():
        if call.sets or call.also:
            _check_call(context, call)


def _check_weights(context: ValidationContext, column: Column, at: Pointer) -> None:
    slot = context.task.slots.get(column.slot or "")
    values = tuple(slot.values) if slot is not None else tuple(map(plain, column.values))
    if not values:
        message = "only listed values have weights; leave them out, or list the values"
        context.add("E408", (*at, "weights"), message)
        return
    for value in column.weights:
        pointer = (*at, "weights", value)
        context.know(value, values, "E308", pointer, "the column has no value")


def _check_call(context: ValidationContext, call: Call) -> None:
    at: Pointer = ("apis", call.name)
    if not call.writes:
        key = "sets" if call.sets else "also"
        message = f"to {call.effect} changes nothing; leave {key!r} out, or let it update or insert"
        context.add("E408", (*at, key), message)
    rows = {column.name: column for column in context.task.columns(call)}
    arguments = {column.name: column for column in call.inputs}
    others = [_columns(context, each) for each in call.also]
    scope = {name: column for group in reversed(others) for name, column in group.items()}
    scope |= {**rows, **arguments}
    for name, value in call.sets.items():
        _check_value(context, value, name, rows, scope, (*at, "sets", name))
    for number, (each, own) in enumerate(zip(call.also, others, strict=True)):
        place: Pointer = (*at, "also", number)
        if each.table == call.table:
            message = "is the table of the call; write what changes there under its own 'sets'"
            context.add("E408", (*place, "table"), f"{each.table!r} {message}")
        elif each.table not in context.names("tables"):
            message = f"there is no table {each.table!r}; {hint(each.table, context.task.tables)}"
            context.add("E401", (*place, "table"), message)
        if not own:
            continue
        for name, value in each.key.items():
            _check_value(context, value, name, own, {**rows, **arguments}, (*place, "key", name))
        for name, value in each.sets.items():
            _check_value(context, value, name, own, {**scope, **own}, (*place, "sets", name))


def _columns(context: ValidationContext, other: Further) -> dict[str, Column]:
    table = context.task.tables.get(other.table)
    return {column.name: column for column in table.columns} if table is not None else {}


def _check_value(
    context: ValidationContext,
    value: Any,
    column: str,
    columns: Mapping[str, Column],
    scope: Mapping[str, Column],
    at: Pointer,
) -> None:
    """Report a missing column, and a value that it cannot have; `scope` are usable names."""
    if not context.know(column, columns, "E403", at, "the table has no column"):
        return
    slot = context.task.slots.get(columns[column].slot or "")
    if not is_arithmetic(value):
        if slot is not None and slot.values and not (isinstance(value, str) and value in scope):
            check_value(context, slot, plain(value).strip('"'), at)
        return
    kinds: list[str] = []
    for name in names(value):
        if not context.know(name, scope, "E403", at, "there is no column or input"):
            return
        kinds.append(_kind(context, scope[name]))
    whole = _kind(context, columns[column])
    dated = whole == "date" and kinds[:1] == ["date"] and " * " not in value
    if not (whole == "number" or dated) or set(kinds[dated:]) - {"number"}:
        right = "only numbers are added and multiplied, and days to a date that comes first"
        context.add("E408", at, f"{value!r} is no value of {column!r}; {right}")


def _kind(context: ValidationContext, column: Column) -> str:
    slot = context.task.slots.get(column.slot or "")
    return KINDS.get(slot.type if slot is not None else column.type, "other")
