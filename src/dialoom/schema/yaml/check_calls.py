"""Checks of tables and APIs: names are defined, values are valid and can be computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from dialoom.schema.arithmetic import is_arithmetic, names
from dialoom.schema.call import Call, Column, Further, Table
from dialoom.schema.findings import hint
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot
from dialoom.schema.values import day_of, samples
from dialoom.schema.values.ranges import measured
from dialoom.schema.yaml.building import as_slot, plain
from dialoom.schema.yaml.check_slots import check_value
from dialoom.schema.yaml.grammar import ERROR, OUTCOMES, REFUSED
from dialoom.schema.yaml.validation import ValidationContext


def check_calls(context: ValidationContext) -> None:
    """Report errors in tables and APIs."""
    for table in context.task.tables.values():
        _check_table(context, table)
    for call in context.task.calls.values():
        _check_call(context, call)
    _check_intents(context)
    _check_use(context)


def _check_intents(context: ValidationContext) -> None:
    apis = context.names("apis")
    for intent in context.task.intents.values():
        for number, api in enumerate(intent.calls):
            at = ("intents", intent.name, "apis", number)
            context.know(api, apis, "E402", at, "there is no API")


def _check_table(context: ValidationContext, table: Table) -> None:
    at: Pointer = ("tables", table.name, "columns")
    if context.names("tables", table.name) == {"columns"}:
        context.add("E103", ("tables", table.name), "a table needs the key 'rows', or rows given")
    _check_rows(context, table)
    if table.rows < len(table.given):
        message = f"{table.rows} rows are fewer than the {len(table.given)} that are given"
        context.add("E106", ("tables", table.name, "rows"), f"{message}; leave the key out")
    sizes = {column.name: _size(context, column) for column in table.columns}
    for column in table.columns:
        _check_column(context, column, (*at, column.name))
        if column.along is None:
            continue
        pointer = (*at, column.name, "along")
        if column.along not in context.names(*map(str, at)):
            message = f"the table has no column {column.along!r}; {hint(column.along, sizes)}"
            context.add("E403", pointer, message)
        elif sizes.get(column.along) != sizes[column.name]:
            own, other = sizes[column.name], sizes.get(column.along)
            message = f"{own} values cannot go along with the {other} of {column.along!r}"
            context.add("E406", pointer, f"{message}; both need equally many")


def _check_rows(context: ValidationContext, table: Table) -> None:
    slots = {column.name: _stored(context, column) for column in table.columns}
    for number, row in enumerate(table.given):
        for name, value in row.items():
            at: Pointer = ("tables", table.name, "given", number, name)
            if context.know(name, slots, "E403", at, "the table has no column"):
                for each in value if isinstance(value, list) else [value]:
                    check_value(context, slots[name], plain(each), at)


def _stored(context: ValidationContext, column: Column) -> Slot:
    """Return a column as a slot with the values in its rows, where yes and no are no booleans."""
    slot = as_slot(column, context.task.slots)
    truths = {"true": (), "false": ()}
    return replace(slot, type="category", values=truths) if slot.type == "boolean" else slot


def _size(context: ValidationContext, column: Column) -> int:
    if column.slot in context.task.slots:
        return sum(1 for _ in samples(context.task.slots[column.slot]))
    return len(column.lists or column.values)


def _check_column(context: ValidationContext, column: Column, at: Pointer) -> None:
    if column.slot is not None:
        context.know_slot(column.slot, (*at, "slot"))
    if "slot" in context.names(*map(str, at)):
        return
    low, high = column.minimum, column.maximum
    kind = "time" if column.type == "time" else "date"
    for key, value in (("from", low), ("to", high)):
        if isinstance(value, str) and measured(kind, value) is None:
            context.add("E308", (*at, key), f"{value!r} is no {column.type}")
            return
    if low is not None and high is not None and low > high:  # type: ignore[operator]
        key = "from" if isinstance(low, str) else "minimum"
        context.add("E305", (*at, key), f"{low} is above {high}; swap them")
    needed = {
        "category": "values",
        "short text": "values",
        "long text": "values",
        "steps": "lists",
        "integer": "minimum",
        "amount": "minimum",
        "date": "from",
        "time": "from",
    }.get(column.type)
    if needed and needed not in context.names(*map(str, at)):
        message = f"a {column.type} column needs the key {needed!r}, or a slot"
        context.add("E103", at, message)


def _check_call(context: ValidationContext, call: Call) -> None:
    at: Pointer = ("apis", call.name)
    if call.table:
        tables = context.names("tables")
        context.know(call.table, tables, "E401", (*at, "table"), "there is no table")
    inputs = context.names("apis", call.name, "inputs")
    for column in call.inputs:
        _check_input(context, call, column, inputs)
    for column in call.outputs:
        if column.slot is not None:
            context.know_slot(column.slot, (*at, "outputs", column.name, "slot"))
    _check_key(context, call, inputs)
    _check_answers(context, call)
    _check_twins(context, call)


def _check_input(
    context: ValidationContext, call: Call, column: Column, inputs: frozenset[str]
) -> None:
    at: Pointer = ("apis", call.name, "inputs", column.name)
    if column.slot is not None:
        context.know_slot(column.slot, (*at, "slot"))
    elif column.type != "request" and "slot" not in context.names(*map(str, at)):
        message = f"the input {column.name!r} has no slot that gives it its value"
        context.add("E404", at, f"{message}; write {{slot: …}}")
    for name, values in column.required_if.items():
        pointer = (*at, "required_if", name)
        if not context.know(name, inputs, "E403", pointer, "there is no input"):
            continue
        other = next((c for c in call.inputs if c.name == name), None)
        slot = context.task.slots.get(other.slot or "") if other else None
        for number, value in enumerate(values if slot else ()):
            if slot is not None:
                check_value(context, slot, value, (*pointer, number))


def _check_key(context: ValidationContext, call: Call, inputs: frozenset[str]) -> None:
    at: Pointer = ("apis", call.name, "key")
    columns = context.names("tables", call.table, "columns")
    for number, name in enumerate(call.key):
        if name not in inputs:
            message = f"the key {name!r} is no input; {hint(name, inputs)}"
            context.add("E403", (*at, number), message)
        elif columns and name not in columns:
            message = f"the key {name!r} is no column of {call.table!r}; {hint(name, columns)}"
            context.add("E403", (*at, number), message)
    if call.effect in ("book", "update") and not context.names("apis", call.name, "key"):
        lone = isinstance(context.document.value["apis"][call.name].get("key"), str)
        if not lone:
            message = f"an API that is to {call.effect} needs the key 'key': the inputs that "
            purpose = "can be taken only once" if call.effect == "book" else "pick the row"
            context.add("E103", ("apis", call.name), message + purpose)


def _check_answers(context: ValidationContext, call: Call) -> None:
    at: Pointer = ("apis", call.name, "answers")
    outputs = context.names("apis", call.name, "outputs")
    fields = outputs | context.names("tables", call.table, "columns")
    columns = {column.name: column for column in call.outputs}
    raw = context.names("apis", call.name)
    for outcome, there in ((REFUSED, call.refuses), (ERROR, call.fails)):
        if there and not call.answers.get(outcome):
            message = f"no output shows that {call.name!r} ended as {outcome!r}"
            right = f"add `{outcome}: {{OUTPUT: VALUE}}` to its answers"
            context.add("E103", at if "answers" in raw else at[:-1], f"{message}; {right}")
    for outcome, answer in call.answers.items():
        possible = (*OUTCOMES[call.effect], REFUSED, ERROR)
        if outcome not in possible:
            message = f"to {call.effect} does not end as {outcome!r}; {hint(outcome, possible)}"
            context.add("E207", (*at, outcome), message)
        for name, value in answer.items():
            pointer = (*at, outcome, name)
            column = columns.get(name)
            if not context.know(name, fields, "E403", pointer, "there is no output"):
                continue
            if column is not None and column.values and value not in column.values:
                right = hint(str(value), map(str, column.values))
                message = f"the output {name!r} has no value {value!r}; {right}"
                context.add("E308", pointer, message)


def _check_twins(context: ValidationContext, call: Call) -> None:
    rows = {column.name: column.slot for column in context.task.columns(call)}
    for column in call.inputs:
        other = rows.get(column.name)
        if column.slot and other and other != column.slot:
            message = f"the input takes the slot {column.slot!r}, the column of {call.table!r}"
            at = ("apis", call.name, "inputs", column.name)
            context.add("E406", at, f"{message} the slot {other!r}; let them be the same")


def _check_use(context: ValidationContext) -> None:
    targets = {node.call for node in context.task.flow.nodes.values()}
    whole = set(context.task.flow.nodes) == context.nodes
    for name in context.task.calls:
        if whole and name not in targets:
            message = f"no node queries {name!r}; add one or leave the API out"
            context.add("W401", ("apis", name), message)
    calls = context.task.calls.values()
    tables = {call.table for call in calls} | {each.table for c in calls for each in c.also}
    for name in context.task.tables:
        if name not in tables and context.whole:
            context.add("W402", ("tables", name), f"no API uses the table {name!r}; leave it out")


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
            _check_computed(context, call)


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


def _check_computed(context: ValidationContext, call: Call) -> None:
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
    if not is_arithmetic(value):
        if not (isinstance(value, str) and value in scope):
            slot = _stored(context, columns[column])
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
