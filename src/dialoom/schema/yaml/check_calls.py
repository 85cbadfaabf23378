"""Checks of tables and APIs: all names in them are defined, and all values are valid."""

from __future__ import annotations

from dialoom.schema.call import Call, Column, Table
from dialoom.schema.findings import hint
from dialoom.schema.places import Pointer
from dialoom.schema.slot import Slot, SlotType
from dialoom.schema.values import TEXTS, samples
from dialoom.schema.yaml.building import plain
from dialoom.schema.yaml.check_slots import check_value, measure
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
    slots = {column.name: context.task.slots.get(column.slot or "") for column in table.columns}
    for number, row in enumerate(table.given):
        for name, value in row.items():
            at: Pointer = ("tables", table.name, "given", number, name)
            context.know(name, slots, "E403", at, "the table has no column")
            slot = slots.get(name)
            if slot is not None and slot.type not in TEXTS:
                for each in value if isinstance(value, list) else [value]:
                    check_value(context, slot, plain(each), at)


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
    for key, value in (("from", low), ("to", high)):
        if isinstance(value, str) and measure(_as_slot(column), value) is None:
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


def _as_slot(column: Column) -> Slot:
    kind: SlotType = "time" if column.type == "time" else "date"
    return Slot(name=column.name, type=kind)


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
        if outcome not in possible and "effect" in context.names("apis", call.name):
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
