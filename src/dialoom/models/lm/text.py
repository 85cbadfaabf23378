"""Schemas and histories as text for language models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from dialoom.dialogue import Event, Result
from dialoom.dialogue.annotation import LABELS
from dialoom.dialogue.event_lines import event_lines
from dialoom.errors import clip
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import arguments_schema

VALUES, ITEMS = 40, 1000
"""Most values that are listed of a slot, and most characters of the items of a result."""


def history_text(events: Sequence[Event], agents: Collection[str] = ()) -> str:
    """Return the visible events before a question as lines, with the annotation of some agents."""
    found = []
    for line, event in zip(event_lines(events), events, strict=True):
        items = isinstance(event, Result) and clip(json_text(event.items), ITEMS)
        found.append(f"{line.speaker}: {items or line.text}")
        notes = [note for note in line.notes if not note.startswith(f"{LABELS}: ")]
        if line.speaker in agents and notes:
            found.append(f"  [{'; '.join(notes)}]")
    return "\n".join(found) or "(nothing was said yet)"


def schema_text(task: TaskSchema, *, calls: bool = False, flow: bool = False) -> str:
    """Return a task or service as text: its calls, or its flow, or its slots and intents."""
    head = f"{'Service' if task.is_service else 'Task'} {task.id}: {task.description}"
    return "\n".join((head.rstrip(" :"), *_described(task, calls=calls, flow=flow)))


def _described(task: TaskSchema, *, calls: bool, flow: bool) -> Iterator[str]:
    if calls:
        for each in arguments_schema(task).get("oneOf", ()):
            yield f"- call {each['description']}: {json_text(each['properties'])}"
    elif flow and task.flow:
        for node in task.flow.nodes.values():
            then = f"; then {' or '.join(node.then)}" if node.then else ""
            yield f"- {node.kind} {node.name}: {' / '.join(node.texts[:2])}{then}"
    else:
        service = contract(task)
        for slot in service.slots:
            values = ", ".join(map(str, slot.possible_values[:VALUES]))
            listed = f" (one of {values})" if slot.categorical else ""
            yield f"- slot {slot.name}: {slot.description or ''}{listed}"
        for intent in service.intents:
            yield f"- intent {intent.name}: {intent.description or ''} ({', '.join(intent.inputs)})"


def json_text(value: object) -> str:
    """Return a value as JSON."""
    return msgspec.json.encode(value).decode()
