"""Schemas and histories as text for language models."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import msgspec

from dialoom.dialogue import (
    Act,
    Argument,
    Event,
    Options,
    Part,
    Query,
    Result,
    Selection,
    Utterance,
)
from dialoom.dialogue.references import dereferenced
from dialoom.dialogue.views import parts
from dialoom.errors import clip
from dialoom.schema.flow import Node
from dialoom.schema.service import Service
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from dialoom.schema.tools import arguments_schema

VALUES = 40
"""Most values that are listed of a slot."""

ITEM = 1000
"""Most characters of the items of a result."""


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
        given = ", ".join(
            f"{each.slot} {each.operator or '='} {_json(list(each.values))}"
            for each in event.constraints
        )
        yield f"call: {event.api}({given})"
    elif isinstance(event, Result):
        number = "" if event.total is None else f"{event.total} found, "
        yield f"result: {number}{clip(_json(list(event.items)), ITEM)}"
    elif isinstance(event, Selection) and event.task:
        yield f"task: {event.task}"
    elif isinstance(event, Options) and event.text:
        yield f"the system drafts: {event.text}"


def _about(part: Part, *, acts: bool, states: bool) -> Iterator[str]:
    if acts and part.acts:
        yield f"acts {acts_text(part.acts)}"
    if states and part.state is not None:
        values = {slot: list(found) for slot, found in part.state.values.items()}
        yield f"intent {part.state.intent}, state {_json(values)}"


def acts_text(acts: Sequence[Act]) -> str:
    """Return acts as text: inform(city=Tarn), thankyou()."""
    return ", ".join(f"{act.name}({_arguments(act.arguments)})" for act in dereferenced(acts))


def _arguments(arguments: Sequence[Argument]) -> str:
    return ", ".join(
        f"{each.slot}={'|'.join(map(str, each.values))}" if each.values else each.slot
        for each in arguments
    )


def schema_text(task: TaskSchema, *, calls: bool = False, flow: bool = False) -> str:
    """Return a task or service as text.

    Args:
        task: Its schema.
        calls: Whether to show its calls in place of its slots and intents.
        flow: Whether to show its flow, if it has one, in place of its slots and intents.
    """
    lines = [f"{'Service' if task.is_service else 'Task'} {task.id}: {task.description}".strip()]
    if calls:
        shapes = arguments_schema(task).get("oneOf", [])
        lines += [f"- call {each['description']}: {_json(each['properties'])}" for each in shapes]
    elif flow and task.flow:
        lines += map(_node, task.flow.nodes.values())
    else:
        lines += _contract(contract(task))
    return "\n".join(lines)


def _contract(service: Service) -> Iterator[str]:
    for slot in service.slots:
        values = ", ".join(map(str, slot.possible_values[:VALUES]))
        listed = f" (one of {values})" if slot.categorical else ""
        yield f"- slot {slot.name}: {slot.description or ''}{listed}"
    for intent in service.intents:
        yield f"- intent {intent.name}: {intent.description or ''} ({', '.join(intent.inputs)})"


def _node(node: Node) -> str:
    then = f"; then {' or '.join(node.then)}" if node.then else ""
    return f"- {node.kind} {node.name}: {' / '.join(node.texts[:2])}{then}"


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
