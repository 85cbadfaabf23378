"""A task as plain things by kind, whatever it came as: what can be compared and looked up.

summary(task)["slot"]["time"]        # {"type": "time", "need": "required", …}
summary(task)["call"]["hotel_book"]  # {"effect": "book", "required": ("Name", …), …}
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dialoom.schema.call import Call, Column
from dialoom.schema.flow import Node
from dialoom.schema.service import Service
from dialoom.schema.services import contract
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

Thing = dict[str, Any]
"""What is said of a thing: key to a scalar or a tuple."""

Summary = dict[str, dict[str, Thing]]
"""Kind of thing to the things by name."""

ARROW = " -> "
"""Stands between the two ends of an edge."""


def summary(task: TaskSchema) -> Summary:
    """Return a task's slots, intents, calls and flow."""
    return _of_service(contract(task)) if task.is_service else _of_task(task)


def _of_task(task: TaskSchema) -> Summary:
    return {
        "slot": {slot.name: _slot(slot) for slot in task.slots.values()},
        "input": {column.name: _column(column) for column in _columns(task)},
        "call": {call.name: _call(call, task) for call in task.calls.values()},
        "intent": {
            intent.name: {"description": intent.description, "calls": intent.calls}
            for intent in task.intents.values()
        },
        "node": {node.name: _node(node) for node in task.flow.nodes.values()},
        "edge": {edge: {} for node in task.flow.nodes.values() for edge in _edges(node)},
    }


def _slot(slot: Slot) -> Thing:
    need = "optional" if slot.optional else f"unless {slot.unless}" if slot.unless else "required"
    found: Thing = {"type": slot.type, "need": need, "description": slot.description or None}
    if slot.values:
        found["values"] = tuple(slot.values)
    if slot.minimum is not None:
        found["range"] = f"{slot.minimum} to {slot.maximum} by {slot.step}"
    return found


def _columns(task: TaskSchema) -> Iterator[Column]:
    for table in task.tables.values():
        yield from table.columns
    for call in task.calls.values():
        yield from (*call.inputs, *call.outputs)


def _column(column: Column) -> Thing:
    found: Thing = {"slot": column.slot} if column.slot else {"type": column.type}
    return found | ({"values": column.values} if column.values else {})


def _call(call: Call, task: TaskSchema) -> Thing:
    return {
        "effect": call.effect,
        "required": call.required,
        "optional": tuple(column.name for column in call.inputs if not column.required),
        "results": tuple(
            dict.fromkeys(column.name for column in (*task.columns(call), *call.outputs))
        ),
    }


def _node(node: Node) -> Thing:
    what = node.call or node.outcome
    found: Thing = {"kind": node.kind + (f" {what}" if what else "")}
    found |= {"asks": node.asks} if node.asks else {}
    found |= {"request": node.request} if node.request else {}
    return found | ({"texts": node.texts} if node.texts else {})


def _edges(node: Node) -> Iterator[str]:
    for after in (*node.then, *filter(None, (node.last,))):
        yield f"{node.name}{ARROW}{after}"


def _of_service(service: Service) -> Summary:
    slots: dict[str, Thing] = {}
    for slot in service.slots:
        slots[slot.name] = {"categorical": slot.categorical, "description": slot.description}
        if slot.possible_values:
            slots[slot.name]["values"] = slot.possible_values
    return {
        "slot": slots,
        "intent": {
            intent.name: {
                "description": intent.description,
                "transactional": intent.transactional,
                "required": intent.required,
                "optional": tuple(sorted(f"{k} = {v}" for k, v in intent.optional.items())),
                "results": intent.results,
            }
            for intent in service.intents
        },
    }
