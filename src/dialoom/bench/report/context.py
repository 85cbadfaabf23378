"""An error with what led to it: the events a model could see, and what was known by then.

What was known is read off the dialogue and the task's schema, whatever the model: which actions
were done, and for each input of the task's APIs whether a query gave it or the user said it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dialoom.bench.core.lines import Line
from dialoom.bench.visibility import system_log
from dialoom.dialogue import USER, Constraint, Dialogue, Event, Query, Utterance
from dialoom.dialogue.transcript import describe_constraint, lines
from dialoom.dialogue.views import action
from dialoom.errors import UsageError
from dialoom.render.transcript import to_html
from dialoom.schema.slot import Slot as TaskSlot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import best, find, plain

SHOWN = 8
"""Events shown before an error."""


@dataclass(frozen=True, slots=True)
class Slot:
    """An input of the task's APIs whose value is known.

    Attributes:
        name: Its name.
        value: Its value, as people read it.
        source: How it came to be known: "queried" or "said".
    """

    name: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Error:
    """One wrong answer in its place.

    Attributes:
        line: The prediction.
        earlier: How many visible events came before those shown.
        transcript: The last events before the question, and then what the system did, as HTML.
        done: The system's actions so far.
        known: The inputs of the task's APIs that are known.
        open: The names of the others.
    """

    line: Line
    earlier: int
    transcript: str
    done: tuple[str, ...]
    known: tuple[Slot, ...]
    open: tuple[str, ...]


def error(line: Line, dialogue: Dialogue, schemas: Mapping[str, TaskSchema]) -> Error:
    """Return a wrong answer with what led to it.

    Raises:
        UsageError: The dialogue has no such event.
    """
    if not 0 <= line.event < len(dialogue.events):
        raise UsageError(
            f"dialogue {dialogue.id} has no event {line.event}; are the predictions of this corpus?"
        )
    task = schemas.get(line.task)
    seen = [number for number in range(line.event) if system_log(dialogue.events[number])]
    shown = {*seen[-SHOWN:], line.event}
    history = dialogue.events[: line.event]
    known = tuple(slots(history, task))
    names = {slot.name for slot in known}
    return Error(
        line=line,
        earlier=len(seen) - len(seen[-SHOWN:]),
        transcript=to_html(
            (one for one in lines(dialogue) if one.index in shown),
            marks={line.event: f"predicted: {line.predicted}"},
        ),
        done=tuple(label for event in history if (label := action(event)) is not None),
        known=known,
        open=tuple(p.name for p in (task.inputs if task else ()) if p.name not in names),
    )


def slots(history: Sequence[Event], task: TaskSchema | None) -> Iterator[Slot]:
    """Yield the inputs of a task's APIs that are known: by the last query of each, else said."""
    queried = {
        constraint.slot: constraint
        for event in history
        if isinstance(event, Query)
        for constraint in event.constraints
    }
    said = [e.text for e in history if isinstance(e, Utterance) and e.agent == USER]
    for slot in task.inputs if task else ():
        name = slot.name
        if name in queried:
            yield Slot(name, _value(queried[name]), "queried")
        elif found := _said(slot, said, task.language if task else "en"):
            yield Slot(name, found, "said")


def _value(constraint: Constraint) -> str:
    return describe_constraint(constraint).removeprefix(constraint.slot).lstrip(" :=")


def _said(slot: TaskSlot, texts: Sequence[str], language: str) -> str:
    """Return the value that was said last; empty where none was."""
    for text in reversed(texts):
        if found := best(find(text, (slot,), language)):
            return plain(found[-1].value, language)
    return ""
