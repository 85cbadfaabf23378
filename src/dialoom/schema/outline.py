"""A task as readable text: its slots, its calls, and its flow as an indented outline."""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.schema.call import Call, Column, Table
from dialoom.schema.flow import Node, notes
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

_STEP = "  "

HEADS = {
    "user": "to the user",
    "wizard": "to the wizard",
    "policy": "policy",
    "wish": "words for what users want",
}


def outline(task: TaskSchema) -> str:
    """Return the text of a task, with a line for each of its elements."""
    head = f"{task.id}: {task.description}" if task.description else task.id
    lines = [head, f"{_STEP}domain {task.domain}, language {task.language}"]
    if task.aliases:
        lines.append(f"{_STEP}also called {', '.join(task.aliases)}")
    lines += [f"{_STEP}{HEADS[who]}: {text}" for who, text in task.texts.items()]
    if task.intents:
        entries = (
            f"{i.name}: {i.description} ({', '.join(i.calls)})" for i in task.intents.values()
        )
        lines += ["", "intents", *(_STEP + line for line in entries)]
    lines += ["", "slots", *(_STEP + _slot(slot) for slot in task.slots.values())]
    if task.constraints:
        lines += ["", "constraints", *(f"{_STEP}{each}" for each in task.constraints)]
    if task.tables:
        lines += ["", "tables", *(_STEP + _table(table) for table in task.tables.values())]
    if task.calls:
        lines += ["", "apis"]
        lines += [_STEP + line for call in task.calls.values() for line in _call(call)]
    lines += ["", "flow", *(_STEP + line for line in flow_lines(task))]
    for who, questions in task.questions.items():
        lines += ["", f"questions to the {who}", *(_STEP + text for text in questions)]
    return "\n".join(lines) + "\n"


def _slot(slot: Slot) -> str:
    need = "optional" if slot.optional else f"unless {slot.unless}" if slot.unless else "required"
    values = ", ".join(slot.values)
    if slot.minimum is not None:
        values = f"{slot.minimum} to {slot.maximum}"
        if slot.step != 1:
            values += f" by {slot.step}"
    details = f": {values}" if values else ""
    details += f", by {' and '.join(slot.depends_on)}" if slot.depends_on else ""
    return f"{slot.name} ({slot.type}, {need}){details}"


def _table(table: Table) -> str:
    return f"{table.name}, {table.rows} rows: {', '.join(c.name for c in table.columns)}"


def _call(call: Call) -> Iterator[str]:
    key = f", key {', '.join(call.key)}" if call.key else ""
    yield f"{call.name} ({call.effect} in {call.table}{key})"
    if call.inputs:
        yield f"{_STEP}in   {', '.join(map(_input, call.inputs))}"
    yield from (_STEP + line for line in limits(call))
    if call.outputs:
        yield f"{_STEP}out  {', '.join(column.name for column in call.outputs)}"


def limits(call: Call) -> Iterator[str]:
    """Yield the rules that refuse a call, what it computes, and how often it fails."""
    yield from (f"refused where {rule}" for rule in call.refuses)
    yield from (f"{name} becomes {value}" for name, value in call.sets.items())
    for each in call.also:
        values = ", ".join(f"{name} becomes {value}" for name, value in each.sets.items())
        which = ", ".join(f"{name} is {value}" for name, value in each.key.items())
        yield f"in {each.table}, " + (
            f"where {which}: {values}" if which else f"a new row: {values}"
        )
    if call.fails:
        yield f"out of order once in {1 / call.fails:.0f} times"


def _input(column: Column) -> str:
    origin = f" from {column.slot}" if column.slot else ""
    return column.name + origin + ("*" if column.required else "")


def flow_lines(task: TaskSchema) -> Iterator[str]:
    """Yield the flow from its first node on, in depth; a node that was shown is only named again.

    Ways that branch off are indented; a single way on stays at the same depth.
    """
    stack = [(name, 0) for name in reversed(task.flow.entries)]
    names: set[str] = set()
    while stack:
        name, depth = stack.pop()
        node = task.flow.nodes.get(name)
        if node is None or name in names:
            yield f"{_STEP * depth}-> {name}"
            continue
        names.add(name)
        yield _STEP * depth + _node(node)
        following = [*node.then, *([node.last] if node.last else [])]
        # a single way on stays at the same depth, so that a chain does not run off the page
        inner = depth + (len(following) > 1)
        stack += [(after, inner) for after in reversed(following)]


def _node(node: Node) -> str:
    remarks = f" ({'; '.join(notes(node))})" if any(notes(node)) else ""
    if node.kind == "call":
        request = f", {node.request}" if node.request else ""
        return f"[{node.name}] call {node.call}{request}{remarks}"
    if node.kind == "result":
        return f"[{node.name}] result {node.outcome}{remarks}"
    text = node.texts[0] if node.texts else ""
    return f"[{node.name}] {node.kind}{remarks}: {text}"
