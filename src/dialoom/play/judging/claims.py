"""What an agent claims that is not so: values that nobody gave, failures where a call succeeded.

heard = heard_turns(program, events)
heard.unread, heard.misstated
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.dialogue.views import label, parts
from dialoom.flow.program import TaskProgram
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.statements import flat, unfounded
from dialoom.reading.turn import SpokenTurn, turn_reader
from dialoom.schema.call import outcomes
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import find

NONE: frozenset[str] = frozenset()
FAILURE = frozenset({"failure"})
"""Function of replies that say that something was not done."""

REFUSALS = FAILURE | {"out_of_scope"}
"""The same right after a call: who has just made it does not say that it is beyond them."""


class HeardTurns(NamedTuple):
    """The agent's turns that could not be read, and those that state what is not so."""

    unread: tuple[str, ...]
    misstated: tuple[str, ...]


def heard_turns(program: TaskProgram, events: Iterable[Event]) -> HeardTurns:
    """Return the agent's turns of a dialogue that are not read, and those that are untrue."""
    task, query, known = program.schema, None, list[Any]()
    reading, misstated, done = DialogueReading(task), list[str](), False
    fresh = False  # whether a call has succeeded since the user spoke
    for event in events:
        reading.observe(event)
        if isinstance(event, Query):
            query = event
        elif isinstance(event, Result):
            call = task.calls.get(query.api) if query is not None else None
            if call is not None and query is not None:
                fresh = done = "done" in outcomes(call, query.constraints, event.items)
            known += flat(value for item in event.items for value in item.values())
        elif isinstance(event, Utterance) and event.agent == SYSTEM:
            failures = REFUSALS if fresh else FAILURE if done else NONE
            if _untrue(task, event, reading.turn, known, failures):
                misstated.append(event.text)
        elif isinstance(event, Utterance):
            known += _values(task, event)
            fresh = False
    return HeardTurns(tuple(reading.unread), tuple(misstated))


def _values(task: TaskSchema, said: Utterance) -> Iterator[Any]:
    """Yield the values of a user's turn, by its annotation and by its words."""
    for argument in (a for part in parts(said) for act in part.acts or () for a in act.arguments):
        yield from argument.canonical or argument.values
    yield from (mention.value for mention in find(said.text, task.slots.values(), task.language))


def _untrue(
    task: TaskSchema,
    said: Utterance,
    turn: SpokenTurn,
    known: list[Any],
    failures: Collection[str],
) -> bool:
    """Return whether a turn names a value that nobody gave, or calls a success a failure.

    Whether it reports a failure is read from the words alone, since the dialogue leads to another
    report.
    """
    words = turn
    if failures and label(said) is None:
        words = turn_reader(task, "system").read(said.text)
    functions = {act.function for act in (*turn.acts, *words.acts)}
    if words.function in failures and "not_understood" not in functions:
        return True
    return any(unfounded(task, said.text, turn, known))
