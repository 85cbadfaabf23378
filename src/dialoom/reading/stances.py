"""Reads each turn of a dialogue, and compares its values with earlier ones.

    for heard in heard_dialogue(task, events):
        heard.turn.function, heard.stances       # "confirm", (Stance(…, "agrees"),)

A value agrees with the current one of its slot, contradicts it, or adds one if the slot has none. A
user who contradicts corrects a value; a system that does is mistaken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Event, Utterance
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.spoken import SpokenAct, SpokenTurn
from dialoom.reading.statements import stated
from dialoom.reading.tracker import SlotTracker
from dialoom.reading.turn import turn_reader
from dialoom.reading.user_turn import reader_of
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention

SURE = 0.5
"""Least confidence of a value stated by the system: more likely than not."""


class Stance(msgspec.Struct, frozen=True):
    """A mention, and the relation of its value to the current one of its slot."""

    mention: Mention
    stance: Literal["agrees", "contradicts", "adds"]


class TurnInContext(msgspec.Struct, frozen=True):
    """One turn of a dialogue: its reading, with the mentions that count, and their stances.

    `open` are the slots that a user leaves open: any value will do.
    """

    speaker: str
    turn: SpokenTurn
    stances: tuple[Stance, ...] = ()
    open: tuple[str, ...] = ()

    @property
    def record(self) -> dict[str, Any]:
        """The reading as JSON values."""
        turn = self.turn
        return {
            "action": turn.action,
            "function": turn.function,
            "asks": turn.asks,
            "mentions": turn.mentions,
            "certainty": round(turn.certainty, 3),
        }


def heard_alone(task: TaskSchema, texts: Iterable[str], speaker: str) -> Iterator[TurnInContext]:
    """Yield the reading of each text of a speaker, without any context."""
    reader = turn_reader(task, "system")
    for text in texts:
        turn = user_turn(task, text) if speaker == USER else None
        yield TurnInContext(speaker, turn or system_turn(task, text, reader.read(text)))


def heard_dialogue(task: TaskSchema, events: Iterable[Event]) -> Iterator[TurnInContext]:
    """Yield the reading of each utterance of a dialogue, given all events before it."""
    tracker, reading = SlotTracker(task), DialogueReading(task)
    for event in events:
        state = {slot: each.value for slot, each in tracker.values.items()}
        requests = tracker.asked
        tracker.observe(event)
        reading.observe(event)
        if not isinstance(event, Utterance):
            continue
        if event.agent == SYSTEM:
            turn = system_turn(task, event.text, reading.turn, state)
        else:
            turn = user_turn(task, event.text, requests, state)
            turn = replace(turn, mentions=(*turn.mentions, *_answers(event, turn, tracker)))
        stances = tuple(Stance(each, _stance(each, state)) for each in turn.mentions)
        free = (slot for slot, each in tracker.fresh.items() if each.value is None)
        yield TurnInContext(event.agent, turn, stances, tuple(free))


def _answers(utterance: Utterance, turn: SpokenTurn, tracker: SlotTracker) -> Iterator[Mention]:
    """Yield the values that a user's turn gives as a whole answer, as names."""
    slots = {mention.slot for mention in turn.mentions}
    for slot, each in tracker.fresh.items():
        start = utterance.text.find(each.words) if each.words and slot not in slots else -1
        if start >= 0:
            yield Mention(slot, each.value, start, start + len(each.words))


def _stance(mention: Mention, state: Mapping[str, Any]) -> Literal["agrees", "contradicts", "adds"]:
    value = state.get(mention.slot)
    if value is None:
        return "adds"
    if isinstance(value, list):  # of a slot that takes several values, one more is added
        return "agrees" if mention.value in value else "adds"
    return "agrees" if mention.value == value else "contradicts"


def system_turn(
    task: TaskSchema, text: str, turn: SpokenTurn, state: Mapping[str, Any] | None = None
) -> SpokenTurn:
    """Return a turn of the system with its sure statements, given the values `state` by slot."""
    mentions = stated(task, text, state or {})
    return replace(turn, mentions=tuple(m for m in mentions if m.confidence >= SURE))


def user_turn(
    task: TaskSchema,
    text: str,
    open_slots: Iterable[str] = (),
    state: Mapping[str, Any] | None = None,
) -> SpokenTurn:
    """Return a turn of a user with the values that count; one that only gives values informs.

    `open_slots` are the slots of open questions; `state` maps slots to their values so far.
    """
    turn, reader = turn_reader(task, "user").read(text), reader_of(task)
    mentions = reader.chooser.choose(text, tuple(open_slots), state).mentions
    acts, agreed = tuple(replace(act, asks=()) for act in turn.acts), reader.agreed(text)
    if not turn.function:
        answers = {True: "affirm", False: "negate", None: "inform" if mentions else ""}
        acts = (SpokenAct(text, answers[agreed]),)
    return replace(turn, acts=acts, mentions=mentions)
