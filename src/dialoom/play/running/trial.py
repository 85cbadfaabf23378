"""One dialogue between a user and an agent, each a participant, over a knowledge base.

    events, ended = play(user, agent, base.call)

The user begins. Each side sees what was said; what a side says of its own words (the acts and
states of its layers) stays with it, unless the agent is one that may read it. The agent's queries
are answered by the knowledge base at once; it goes on until it ends with an utterance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from dialoom.dialogue import USER, Completion, Constraint, Event, Query, Result, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.participant import Participant
from dialoom.errors import SchemaError, UnknownNameError, UsageError
from dialoom.kb.effects import Answer
from dialoom.play.judging.verdict import Ended

STEP = 1000
"""Milliseconds from one event to the next, so that a record has no clock of its own in it."""

Make = Callable[[str, tuple[Constraint, ...]], Answer]
"""Makes a call of the knowledge base."""


class TrialLimits(Struct, frozen=True, kw_only=True):
    """When a dialogue is broken off.

    Attributes:
        turns: Turns of the user at most.
        calls: Calls in one turn of the agent at most.
        silence: Turns in a row in which the agent may say nothing.
    """

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
) -> tuple[list[Event], Ended]:
    """Let two participants talk; return the events and how it ended.

    Args:
        user: Who wants something.
        agent: Who helps.
        make: Makes a call.
        limits: When it is broken off.
        reads_acts: Whether the agent may read the annotation of what the user says.
    """
    record = TrialRecord(reads_acts)
    silent = 0
    for _ in range(limits.turns):
        said = user.reply(record.events)
        record.add(said)
        if not said:
            return record.events, "unanswered"
        if isinstance(said[-1], Completion):
            return record.events, "completed"
        at = len(record.events)
        if not take_turn(agent, record, make, limits.calls):
            return record.events, "calls"
        silent = 0 if any(isinstance(e, Utterance) for e in record.events[at:]) else silent + 1
        if silent == limits.silence:
            return record.events, "silence"
    return record.events, "turns"


class TrialRecord:
    """What happened, as it was and as the agent sees it.

    Args:
        reads_acts: Whether the agent may read the annotation of what the user says.
        clock: Milliseconds since the dialogue began; `STEP` from event to event where None.

    Attributes:
        events: What happened.
        visible: The same as the agent sees it.
    """

    def __init__(self, reads_acts: bool, clock: Callable[[], int] | None = None) -> None:
        self.events: list[Event] = []
        self.visible: list[Event] = self.events if reads_acts else []
        self._clock = clock

    def add(self, events: Sequence[Event]) -> None:
        """Note events that happen now."""
        for event in events:
            time = STEP * len(self.events) if self._clock is None else self._clock()
            event = replace(event, time=time)
            self.events.append(event)
            if self.visible is not self.events:
                own = not (isinstance(event, Utterance) and event.agent == USER)
                self.visible.append(event if own else replace(event, layers=()))


def take_turn(agent: Participant, record: TrialRecord, make: Make, most: int) -> bool:
    """Let the agent take its turn; tell whether it came to an end within `most` calls."""
    for _ in range(most):
        done = agent.reply(record.visible)
        asked = False
        for event in done:
            record.add((event,))
            asked = isinstance(event, Query)
            if isinstance(event, Query):
                record.add((_result(event, make),))
        if not asked:
            return True
    return False


def _result(query: Query, make: Make) -> Result:
    """Return what a query brings; what cannot be asked so brings the reason, as tools do."""
    try:
        answer = make(query.api, query.constraints)
    except (UnknownNameError, UsageError, SchemaError) as error:
        return Result(query=query.id, extra={"error": str(error)})
    return result_of(query, answer)


def result_of(query: Query, answer: Answer) -> Result:
    """Return what a query brought as an event."""
    return Result(query=query.id, items=answer.items, total=answer.total)
