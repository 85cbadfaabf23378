"""A task with other names for all its nodes and slots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from dialoom.schema.call import Column
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACEHOLDER

Names = Mapping[str, str]


def renamed(task: TaskSchema, node: str = "n{}", slot: str = "s{}") -> tuple[TaskSchema, Names]:
    """Return the task under other names, and new node to old node.

    Args:
        task: The task.
        node: The form of a node's new name, with its number.
        slot: The form of a slot's.
    """
    nodes = {name: node.format(number) for number, name in enumerate(task.flow.nodes)}
    slots = {name: slot.format(number) for number, name in enumerate(task.slots)}
    flow = {nodes[name]: _node(node, nodes, slots) for name, node in task.flow.nodes.items()}
    calls = {
        name: replace(call, inputs=_columns(call.inputs, slots))
        for name, call in task.calls.items()
    }
    tables = {
        name: replace(table, columns=_columns(table.columns, slots))
        for name, table in task.tables.items()
    }
    variant = replace(
        task,
        flow=FlowGraph(nodes=flow, complete=task.flow.complete),
        slots={slots[n]: replace(slot, name=slots[n]) for n, slot in task.slots.items()},
        calls=calls,
        tables=tables,
        constraints=(),
    )
    return variant, {new: old for old, new in nodes.items()}


def _node(node: Node, nodes: Names, slots: Names) -> Node:
    return replace(
        node,
        name=nodes[node.name],
        texts=tuple(_text(text, slots) for text in node.texts),
        then=tuple(nodes[each] for each in node.then),
        confirms=nodes[node.confirms] if node.confirms else None,
        asks=tuple(slots[each] for each in node.asks),
        forget=tuple(slots[each] for each in node.forget),
        corrects=tuple(slots[each] for each in node.corrects),
        takes={slots[name]: output for name, output in node.takes.items()},
        set={slots[name]: value for name, value in node.set.items()},
        when=(),
    )


def _text(text: str, slots: Names) -> str:
    return PLACEHOLDER.sub(lambda match: f"{{{slots.get(match[1], match[1])}}}", text)


def _columns(columns: Iterable[Column], slots: Names) -> tuple[Column, ...]:
    return tuple(replace(c, slot=slots.get(c.slot or "")) if c.slot else c for c in columns)
