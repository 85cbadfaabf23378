"""Agents that serve nobody: lower bounds of every score, like the silent agent.

    --agent reciter     says all values that the task's tables can have, in every turn
    --agent dumper      makes calls with whatever values there are, and says all that comes back

A sound judge passes them in no more goals than an agent that says nothing, up to 2 points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product
from typing import Any

from dialoom.dialogue import SYSTEM, Constraint, Event, Query, Result, Utterance
from dialoom.dialogue.event import BOOK
from dialoom.dialogue.participant import Participant
from dialoom.flow.program import TaskProgram
from dialoom.play.agents.base import AgentSeat, PlainAgent
from dialoom.play.arguments import constraints_of
from dialoom.schema.call import Call, Column
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain, samples

CALLS = 8
"""Calls in each turn: fewer than break the dialogue off."""

VALUES = 12
"""Most values of an input that are tried."""

SAID = 60


class Reciter:
    """Says all values that the tables of some tasks can have."""

    def __init__(self, programs: Sequence[TaskProgram]) -> None:
        texts = (each for program in programs for each in _everything(program.schema))
        self._text = ", ".join(dict.fromkeys(texts))

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the same text each time."""
        return (Utterance(agent=SYSTEM, text=f"{self._text}."),)


class Dumper:
    """Makes calls with all combinations of values in turn, and says what comes back."""

    def __init__(self, programs: Sequence[TaskProgram]) -> None:
        self._language = programs[0].language
        self._calls = (
            Query(id=f"q{number}", api=call.name, constraints=constraints)
            for number, (call, constraints) in enumerate(_combinations(programs))
        )
        self._taken = 0

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next calls of this turn; once they are made, say what they brought."""
        new = events[self._taken :]
        self._taken = len(events)
        if not any(isinstance(event, Result) for event in new):
            calls = tuple(islice(self._calls, CALLS))
            if calls:
                return calls
        rows = (item for event in new if isinstance(event, Result) for item in event.items)
        values = (value for row in rows for value in row.values())
        texts = dict.fromkeys(_spelled(value, self._language) for value in values)
        return (Utterance(agent=SYSTEM, text=f"{', '.join(texts) or 'Nothing'}."),)


def _everything(task: TaskSchema) -> Iterator[str]:
    for call in task.calls.values():
        for column in task.result_columns(call):
            values = islice(_values(task, column), SAID)
            yield from (_spelled(value, task.language) for value in values)


def _values(task: TaskSchema, column: Column) -> Iterator[Any]:
    slot = task.slots.get(column.slot or "")
    if slot is not None:
        yield from samples(slot)
    elif column.minimum is not None and column.maximum is not None:
        yield from range(int(column.minimum), int(column.maximum) + 1)
    else:
        yield from (*column.values, *(step for steps in column.lists for step in steps))


def _spelled(value: Any, language: str) -> str:
    parts = value if isinstance(value, list | tuple) else (value,)
    return ", ".join(plain(each, language) for each in parts if each is not None)


def _combinations(programs: Sequence[TaskProgram]) -> Iterator[tuple[Call, tuple[Constraint, ...]]]:
    for program in programs:
        task = program.schema
        for call in task.calls.values():
            names = [column.name for column in call.inputs]
            for values in product(*(_tried(task, column) for column in call.inputs)):
                arguments = dict(zip(names, values, strict=True))
                yield call, tuple(constraints_of((program,), call.name, arguments))


def _tried(task: TaskSchema, column: Column) -> list[Any]:
    if column.type == "request" and column.slot is None:
        return [BOOK]
    return list(islice(_values(task, column), VALUES))


class ReciterAgent(PlainAgent):
    """The agent `reciter`: says everything."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that says the same in every turn."""
        return Reciter(seat.programs)


class DumperAgent(PlainAgent):
    """The agent `dumper`: calls everything."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent that makes call after call."""
        return Dumper(seat.programs)
