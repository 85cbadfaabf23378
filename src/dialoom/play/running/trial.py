"""One dialogue between a user and an agent, each a participant, over a knowledge base.

    events, ended = play(user, agent, base.call)

The user begins. Each side sees the other's texts, but not their annotation, unless the agent may
read it. The knowledge base answers the agent's queries at once; the agent's turn lasts until its
last event is an utterance. A server or program that fails ends the dialogue without a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dialoom.dialogue import USER, Completion, Constraint, Event, Query, Result, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.participant import Participant
from dialoom.errors import SchemaError, UnknownNameError, UsageError, clip
from dialoom.http.failure import NoAnswerError
from dialoom.kb.effects import Answer
from dialoom.play.arguments import UNREAD
from dialoom.play.environments.base import EnvironmentFailureError
from dialoom.play.judging.verdict import Ended, Failure, Side
from dialoom.reading.turn import PUZZLED

STEP = 1000
"""Milliseconds from one event to the next: real times would make runs differ."""

Make = Callable[[str, tuple[Constraint, ...]], Answer]


class TrialLimits(Struct, frozen=True, kw_only=True):
    """The most turns, calls a turn, and silent turns in a row of an agent."""

    turns: int = 60
    calls: int = 10
    silence: int = 3


LIMITS = TrialLimits()


def play(
    user: Participant,
    agent: Participant,
    make: Make,
    limits: TrialLimits = LIMITS,
    *,
    reads_acts: bool = False,
) -> tuple[list[Event], Ended | Failure]:
    """Let two participants talk; return the events and how the dialogue ended.

    `reads_acts`: the agent may read the annotation of the user's utterances. `NoAnswerError` if a
    server refuses every request.
    """
    record = TrialRecord(reads_acts)
    silent = 0
    for _ in range(limits.turns):
        try:
            turn = user.reply(record.events)
        except NoAnswerError as error:
            return record.events, failure_of(error, "user", record.turns + 1)
        record.add(turn)
        if not turn:
            return record.events, "unanswered"
        if isinstance(turn[-1], Completion):
            return record.events, "completed"
        at = len(record.events)
        try:
            if not take_turn(agent, record, make, limits.calls):
                return record.events, "calls"
        except NoAnswerError as error:
            return record.events, failure_of(error, "agent", record.turns)
        silent = 0 if any(map(_speaks, record.events[at:])) else silent + 1
        if silent == limits.silence:
            return record.events, "silence"
    return record.events, "turns"


def _speaks(event: Event) -> bool:
    """True if an event has words: dots and the like are silence, "?" is not."""
    text = event.text if isinstance(event, Utterance) else ""
    return any(letter.isalnum() or letter in PUZZLED for letter in text)


def failure_of(error: NoAnswerError, side: Side, turn: int) -> Failure:
    """Return the record of a participant's failure; `NoAnswerError` if others would follow."""
    if error.final:
        raise error
    side = "environment" if isinstance(error, EnvironmentFailureError) else side
    return Failure(side=side, turn=turn, what=error.what, status=error.status)


class TrialRecord:
    """The events of a dialogue, in full and as the agent sees them.

    `clock` returns milliseconds since the dialogue began; None for `STEP` between events.
    """

    def __init__(self, reads_acts: bool, clock: Callable[[], int] | None = None) -> None:
        self.events: list[Event] = []
        self.visible: list[Event] = self.events if reads_acts else []
        self._clock = clock

    @property
    def turns(self) -> int:
        """The number of the user's utterances so far."""
        return sum(isinstance(e, Utterance) and e.agent == USER for e in self.events)

    def add(self, events: Sequence[Event]) -> None:
        """Add events that happen now."""
        for event in events:
            time = STEP * len(self.events) if self._clock is None else self._clock()
            event = replace(event, time=time)
            self.events.append(event)
            if self.visible is not self.events:
                own = not (isinstance(event, Utterance) and event.agent == USER)
                self.visible.append(event if own else replace(event, layers=()))


def take_turn(agent: Participant, record: TrialRecord, make: Make, most: int) -> bool:
    """Let the agent take its turn; True if it ended within `most` calls."""
    for _ in range(most):
        done = agent.reply(record.visible)
        is_query = False
        for event in done:
            record.add((event,))
            is_query = isinstance(event, Query)
            if isinstance(event, Query):
                record.add((_result(event, make),))
        if not is_query:
            return True
    return False


def _result(query: Query, make: Make) -> Result:
    if UNREAD in query.extra:
        what = f"the arguments are no JSON object: {clip(query.extra[UNREAD])}"
        return Result(query=query.id, extra={"error": what})
    try:
        answer = make(query.api, query.constraints)
    except (UnknownNameError, UsageError, SchemaError) as error:
        return Result(query=query.id, extra={"error": str(error)})
    return result_of(query, answer)


def result_of(query: Query, answer: Answer) -> Result:
    """Return the answer to a query as an event."""
    return Result(query=query.id, items=answer.items, total=answer.total)
