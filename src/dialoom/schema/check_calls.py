"""Checks of tables and APIs: every name in them is one that is there, every value one it has."""

from __future__ import annotations

from dialoom.schema.call import Call, Column, Table
from dialoom.schema.check_slots import check_value
from dialoom.schema.findings import hint
from dialoom.schema.grammar import OUTCOMES
from dialoom.schema.places import Pointer
from dialoom.schema.subject import Subject
from dialoom.schema.values import samples


def check_calls(subject: Subject) -> None:
    """Report what is wrong with tables and APIs."""
    for table in subject.task.tables.values():
        _check_table(subject, table)
    for call in subject.task.calls.values():
        _check_call(subject, call)
    _check_intents(subject)
    _check_use(subject)


def _check_intents(subject: Subject) -> None:
    apis = subject.names("apis")
    for intent in subject.task.intents.values():
        for number, api in enumerate(intent.calls):
            if api not in apis:
                message = f"there is no API {api!r}; {hint(api, apis)}"
                subject.add("E402", ("intents", intent.name, "apis", number), message)


def _check_table(subject: Subject, table: Table) -> None:
    at: Pointer = ("tables", table.name, "columns")
    sizes = {column.name: _size(subject, column) for column in table.columns}
    for column in table.columns:
        _check_column(subject, column, (*at, column.name))
        if column.along is None:
            continue
        pointer = (*at, column.name, "along")
        if column.along not in subject.names(*map(str, at)):
            message = f"the table has no column {column.along!r}; {hint(column.along, sizes)}"
            subject.add("E403", pointer, message)
        elif sizes.get(column.along) != sizes[column.name]:
            own, other = sizes[column.name], sizes.get(column.along)
            message = f"{own} values cannot go along with the {other} of {column.along!r}"
            subject.add("E406", pointer, f"{message}; both need equally many")


def _size(subject: Subject, column: Column) -> int:
    if column.slot in subject.task.slots:
        return sum(1 for _ in samples(subject.task.slots[column.slot]))
    return len(column.lists or column.values)


def _check_column(subject: Subject, column: Column, at: Pointer) -> None:
    if column.slot is not None:
        subject.know_slot(column.slot, (*at, "slot"))
    if "slot" in subject.names(*map(str, at)):
        return
    low, high = column.minimum, column.maximum
    if low is not None and high is not None and low > high:
        subject.add("E305", (*at, "minimum"), f"{low} is above {high}; swap them")
    needed = {
        "category": "values",
        "short text": "values",
        "long text": "values",
        "steps": "lists",
        "integer": "minimum",
        "amount": "minimum",
    }.get(column.type)
    if needed and needed not in subject.names(*map(str, at)):
        message = f"a {column.type} column needs the key {needed!r}, or a slot"
        subject.add("E103", at, message)


def _check_call(subject: Subject, call: Call) -> None:
    at: Pointer = ("apis", call.name)
    tables = subject.names("tables")
    if call.table and call.table not in tables:
        message = f"there is no table {call.table!r}; {hint(call.table, tables)}"
        subject.add("E401", (*at, "table"), message)
    inputs = subject.names("apis", call.name, "inputs")
    for column in call.inputs:
        _check_input(subject, call, column, inputs)
    for column in call.outputs:
        if column.slot is not None:
            subject.know_slot(column.slot, (*at, "outputs", column.name, "slot"))
    _check_key(subject, call, inputs)
    _check_answers(subject, call)
    _check_twins(subject, call)


def _check_input(subject: Subject, call: Call, column: Column, inputs: frozenset[str]) -> None:
    at: Pointer = ("apis", call.name, "inputs", column.name)
    if column.slot is not None:
        subject.know_slot(column.slot, (*at, "slot"))
    elif column.type != "request" and "slot" not in subject.names(*map(str, at)):
        message = f"the input {column.name!r} has no slot that gives it its value"
        subject.add("E404", at, f"{message}; write {{slot: …}}")
    for name, wanted in column.required_if.items():
        pointer = (*at, "required_if", name)
        if name not in inputs:
            subject.add("E403", pointer, f"there is no input {name!r}; {hint(name, inputs)}")
            continue
        other = next((c for c in call.inputs if c.name == name), None)
        slot = subject.task.slots.get(other.slot or "") if other else None
        for number, value in enumerate(wanted if slot else ()):
            if slot is not None:
                check_value(subject, slot, value, (*pointer, number))


def _check_key(subject: Subject, call: Call, inputs: frozenset[str]) -> None:
    at: Pointer = ("apis", call.name, "key")
    columns = subject.names("tables", call.table, "columns")
    for number, name in enumerate(call.key):
        if name not in inputs:
            message = f"the key {name!r} is no input; {hint(name, inputs)}"
            subject.add("E403", (*at, number), message)
        elif columns and name not in columns:
            message = f"the key {name!r} is no column of {call.table!r}; {hint(name, columns)}"
            subject.add("E403", (*at, number), message)
    if call.effect in ("book", "update") and not subject.names("apis", call.name, "key"):
        lone = isinstance(subject.document.value["apis"][call.name].get("key"), str)
        if not lone:
            message = f"an API that is to {call.effect} needs the key 'key': the inputs that "
            told = "can be taken only once" if call.effect == "book" else "pick the row"
            subject.add("E103", ("apis", call.name), message + told)


def _check_answers(subject: Subject, call: Call) -> None:
    at: Pointer = ("apis", call.name, "answers")
    outputs = subject.names("apis", call.name, "outputs")
    known = outputs | subject.names("tables", call.table, "columns")
    columns = {column.name: column for column in call.outputs}
    for outcome, said in call.answers.items():
        possible = OUTCOMES[call.effect]
        if outcome not in possible and "effect" in subject.names("apis", call.name):
            message = f"to {call.effect} does not end as {outcome!r}; {hint(outcome, possible)}"
            subject.add("E207", (*at, outcome), message)
        for name, value in said.items():
            pointer = (*at, outcome, name)
            column = columns.get(name)
            if name not in known:
                subject.add("E403", pointer, f"there is no output {name!r}; {hint(name, known)}")
            elif column is not None and column.values and value not in column.values:
                right = hint(str(value), map(str, column.values))
                message = f"the output {name!r} has no value {value!r}; {right}"
                subject.add("E308", pointer, message)


def _check_twins(subject: Subject, call: Call) -> None:
    """An input is compared with the column of its name: both have to take their values alike."""
    table = subject.task.tables.get(call.table)
    rows = {column.name: column.slot for column in table.columns} if table else {}
    for column in call.inputs:
        other = rows.get(column.name)
        if column.slot and other and other != column.slot:
            message = f"the input takes the slot {column.slot!r}, the column of {call.table!r}"
            at = ("apis", call.name, "inputs", column.name)
            subject.add("E406", at, f"{message} the slot {other!r}; let them be the same")


def _check_use(subject: Subject) -> None:
    called = {node.call for node in subject.task.flow.nodes.values()}
    whole = set(subject.task.flow.nodes) == subject.nodes
    for name in subject.task.calls:
        if whole and name not in called:
            message = f"no node queries {name!r}; add one or leave the API out"
            subject.add("W401", ("apis", name), message)
    tables = {call.table for call in subject.task.calls.values()}
    for name in subject.task.tables:
        if name not in tables and subject.whole:
            subject.add("W402", ("tables", name), f"no API uses the table {name!r}; leave it out")
