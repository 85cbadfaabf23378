"""A dialogue as it is heard in one task: what the agent's turns say, and what the user has said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from dialoom.dialogue import SYSTEM, Event, Query, Utterance
from dialoom.dialogue.views import parts
from dialoom.flow.program import TaskProgram
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.spoken import SpokenTurn
from dialoom.reading.statements import flat, names
from dialoom.schema.lexicon import words
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import Slot
from dialoom.schema.values import best, find

KEPT = 4096
"""Most texts of users whose values are kept."""

QUOTED = 10
"""Words in a row that quote the instructions: no two of the 1,200 wizards' lines and 24 policies
that we have share as many."""


class HeardEvent(NamedTuple):
    """An event, and what it says where it is a turn of the agent."""

    event: Event
    turn: SpokenTurn | None


Heard = Sequence[HeardEvent]


def heard_events(program: TaskProgram, events: Iterable[Event]) -> Heard:
    """Return the events of a dialogue, each turn of the agent read in its context."""
    reading, records = DialogueReading(program.schema), list[HeardEvent]()
    for event in events:
        reading.observe(event)
        spoken = isinstance(event, Utterance) and event.agent == SYSTEM
        records.append(HeardEvent(event, reading.turn if spoken else None))
    return records


def given(event: Utterance) -> Iterator[tuple[str, Any]]:
    """Yield the slots and values of an utterance's annotation; several values as a list."""
    for argument in (a for part in parts(event) for act in part.acts or () for a in act.arguments):
        forms = list(argument.canonical or argument.values)
        if forms:
            yield argument.slot, forms if len(forms) > 1 else forms[0]


class UserWords:
    """A user's values so far, by annotation and by the words."""

    def __init__(self, programs: Sequence[TaskProgram]) -> None:
        self._programs, self._text = programs, ""
        self.values: list[Any] = []

    def add(self, event: Utterance) -> None:
        """Take in an utterance of the user."""
        self._text = f"{self._text}\n{event.text}"
        self.values += flat(value for _, value in given(event))
        for program in self._programs:
            self.values += _finder(program)(event.text)

    def named(self, program: TaskProgram, slot: Slot | None, value: Any) -> bool:
        """Return True if the user has said a value."""
        return value in self.values or names(self._text, slot, value, program.language)

    def cover(self, query: Query, returned: Sequence[Any], *, keys: bool = False) -> bool:
        """True if the user or a result gave the values of a call; of `keys` only, if set."""
        program = next((p for p in self._programs if query.api in p.schema.calls), None)
        if program is None:
            return False
        call = program.schema.calls[query.api]
        slots = {column.name: column.slot for column in call.inputs if column.slot}
        return all(
            value in returned or self.named(program, slot_of(program, constraint.slot), value)
            for constraint in query.constraints
            if constraint.slot in (call.key if keys else slots) and constraint.slot in slots
            for value in constraint.values
        )


@once_for_each
def _finder(program: TaskProgram) -> Callable[[str], list[Any]]:
    slots = tuple(program.schema.slots.values())

    @lru_cache(maxsize=KEPT)
    def found(text: str) -> list[Any]:
        return [mention.value for mention in best(find(text, slots, program.language))]

    return found


def slot_of(program: TaskProgram, name: str) -> Slot | None:
    """Return the slot of a placeholder of a reply or of an input; None where it has none."""
    slots = program.schema.slots
    if name in slots:
        return slots[name]
    columns = [table[name] for table in program.columns.values() if name in table]
    slot_name = next((column.slot for column in columns if column.slot), None)
    return slots.get(slot_name or "")


def call_key(query: Query) -> tuple[str, frozenset[bytes]]:
    """Return what two calls have in common that are the same; values need not be hashable."""
    return query.api, frozenset(map(msgspec.json.encode, query.constraints))


def word_runs(text: str) -> Iterator[tuple[str, ...]]:
    """Return the sequences of `QUOTED` words of a text: a text with one of them quotes it."""
    spoken = words(text)
    return (tuple(spoken[at : at + QUOTED]) for at in range(len(spoken) - QUOTED + 1))
