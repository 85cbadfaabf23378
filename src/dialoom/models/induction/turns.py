"""The system's turns in a dialogue of one task, each with the user's texts and result before it.

Replies that wizards wrote freely, and out-of-scope replies are not actions of a flow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dialoom.dialogue import SYSTEM, USER, Constraint, Dialogue, Event, Query, Result, Utterance
from dialoom.dialogue.views import by_task, label, parts, query_label, tasks
from dialoom.schema.service_words import snake
from dialoom.schema.yaml.scalars import NAME


@dataclass(slots=True)
class SystemTurn:
    """A reply or a query of the system.

    `label` is annotated, or the name of the reply's cluster; empty for none. `answered` is True if
    `result`, the last one, came since the turn before. `known` are the constraints of the last
    query before it.
    """

    label: str
    text: str
    said: tuple[str, ...]
    query: Query | None = None
    result: Result | None = None
    answered: bool = False
    known: tuple[Constraint, ...] = ()


def turns(dialogue: Dialogue, task: str | None = None) -> list[SystemTurn]:
    """Return the system's turns of a dialogue, or of one task in a dialogue of several.

    Wizards correct queries by further ones of the same kind; the last in a row counts.
    """
    path: list[SystemTurn] = []
    for turn in _turns(events_of(dialogue, task)):
        if path and _corrects(turn, path[-1]):
            turn.said = path.pop().said
        path.append(turn)
    return path


def _corrects(turn: SystemTurn, last: SystemTurn) -> bool:
    if turn.query is None or last.query is None or turn.said:
        return False
    return (turn.label, turn.query.api) == (last.label, last.query.api)


def events_of(dialogue: Dialogue, task: str | None = None) -> Iterable[Event]:
    """Return the events of a dialogue, or those of one task in a dialogue of several.

    If no wizard selects tasks, an event belongs to the services of its query or acts; one without
    any belongs to those of the event before it.
    """
    selected = by_task(dialogue.events) if task is not None else {}
    if task in selected:
        return [dialogue.events[index] for index in selected[task]]
    names = tasks(dialogue)
    if selected or task not in names:
        return dialogue.events
    now: set[str | None] = {task}
    own: list[Event] = []
    for event in dialogue.events:
        now = _services(event).intersection(names) or now
        own += [event] if task in now else []
    return own


def _services(event: Event) -> set[str | None]:
    if isinstance(event, Utterance):
        return {part.service for part in parts(event) if part.acts}
    return {event.service} if isinstance(event, Query) else set()


def topics(dialogue: Dialogue) -> tuple[str, ...]:
    """Return the tasks of a dialogue: those that the wizard selects, else its services."""
    return tuple(by_task(dialogue.events)) or tasks(dialogue)


def about(dialogues: Iterable[Dialogue], task: str) -> list[Dialogue]:
    """Return the dialogues about a task alone; if there is none, those partly about it.

    Wizards do not always record a change of task, so parts of a dialogue of several tasks contain
    much of other tasks.
    """
    partly = [dialogue for dialogue in dialogues if task in topics(dialogue)]
    return [dialogue for dialogue in partly if len(topics(dialogue)) == 1] or partly


def constraints(events: Iterable[Event]) -> tuple[Constraint, ...]:
    """Return the constraints of all queries among some events."""
    return tuple(c for event in events if isinstance(event, Query) for c in event.constraints)


def _turns(events: Iterable[Event]) -> Iterator[SystemTurn]:
    texts: list[str] = []
    result: Result | None = None
    context: tuple[Constraint, ...] = ()
    answered = False
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            texts.append(event.text)
        elif isinstance(event, Result):
            result, answered = event, True
        elif isinstance(event, Query):
            yield SystemTurn(query_label(event), "", tuple(texts), event, result, answered, context)
            context, texts, answered = event.constraints, [], False
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            name = label(event) or ""
            yield SystemTurn(name, event.text, tuple(texts), None, result, answered, context)
            texts, answered = [], False


def node_name(label: str) -> str:
    """Return a label as a node of a task file may be called; most are so already."""
    return label if re.fullmatch(NAME, label) else snake(label)
