"""Schemas and histories as text for language models."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

import msgspec

from dialoom.dialogue import Act, Event, Options, Part, Query, Result, Selection, Utterance
from dialoom.dialogue.references import dereferenced
from dialoom.dialogue.views import parts
from dialoom.errors import clip
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import arguments_schema

VALUES, ITEMS = 40, 1000
"""Most values that are listed of a slot, and most characters of the items of a result."""


def history_text(
    events: Sequence[Event], agents: Collection[str] = (), *, states: bool = False
) -> str:
    """Return events as lines of text.

    Args:
        events: The visible events before the question.
        agents: The agents whose acts are shown.
        states: Whether states are shown.
    """
    lines = (line for event in events for line in _lines(event, agents, states=states))
    return "\n".join(lines) or "(nothing was said yet)"


def _lines(event: Event, agents: Collection[str], *, states: bool) -> Iterator[str]:
    if isinstance(event, Utterance):
        yield f"{event.agent}: {event.text}"
        for part in parts(event):
            about = list(_about(part, acts=event.agent in agents, states=states))
            if about:
                yield f"  [{'; '.join(filter(None, (part.service, *about)))}]"
    elif isinstance(event, Query):
        given = (f"{c.slot} {c.operator or '='} {json_text(c.values)}" for c in event.constraints)
        yield f"call: {event.api}({', '.join(given)})"
    elif isinstance(event, Result):
        number = "" if event.total is None else f"{event.total} found, "
        yield f"result: {number}{clip(json_text(event.items), ITEMS)}"
    elif isinstance(event, Selection) and event.task:
        yield f"task: {event.task}"
    elif isinstance(event, Options) and event.text:
        yield f"the system drafts: {event.text}"


def _about(part: Part, *, acts: bool, states: bool) -> Iterator[str]:
    if acts and part.acts:
        yield f"acts {acts_text(part.acts)}"
    if states and part.state is not None:
        yield f"intent {part.state.intent}, state {json_text(part.state.values)}"


def acts_text(acts: Iterable[Act]) -> str:
    """Return acts as text: inform(city=Tarn), request(price), thankyou()."""
    return ", ".join(
        f"{act.name}({', '.join('='.join((a.slot, *map(str, a.values))) for a in act.arguments)})"
        for act in dereferenced(acts)
    )


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
