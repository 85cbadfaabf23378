"""The verdict on a dialogue: separate figures, each computed by rules.

`reached` depends only on the database; values that the agent had to say are searched in the agent's
utterances. A dialogue in which the agent states what is not so does not pass. The user's faults
are counted apart: values that the goal does not have, and leaving while the agent was still serving
the goal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from msgspec.structs import replace

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Event, Layer, Part, Query, Utterance
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.views import label
from dialoom.flow.alignment import follow
from dialoom.flow.program import TaskProgram
from dialoom.metrics.base import share
from dialoom.play.judging.claims import misstated, unread
from dialoom.play.judging.conduct import conduct
from dialoom.play.judging.faults import Fault, leaves, user_faults
from dialoom.play.judging.heard import Heard, heard_events
from dialoom.play.judging.target import DialogueTarget, DueValue, by_task, unreported

Ended = Literal["completed", "silence", "turns", "calls", "unanswered", "failed"]
"""End of a dialogue: the user completed it; the agent said nothing; there were too many turns;
there were too many calls in a turn; the user said nothing; a server or program failed."""

BROKEN_OFF = ("silence", "turns", "calls")
"""Ends that are the agent's doing."""

NO_RESULT = "no result"

Side = Literal["agent", "user", "environment"]


class Failure(Struct, frozen=True, kw_only=True):
    """The failure of a participant behind a wire: no result; the user's turns count from 1."""

    side: Side
    turn: int
    what: str
    status: int | None = None


class Verdict(Struct, frozen=True, kw_only=True):
    """The figures of one dialogue.

    `unasked` counts changed rows outside of the goal, `kept` the steps that keep to the flow and
    are no needless question, `twice` questions with a known answer, `unread` turns without a
    reading, `misstated` turns with a value that nobody gave or that another slot or row has, or a
    failure of a call that succeeded. `rewards` are shares (0 to 1) of steps in the flow, by turn of
    the user. `conduct` counts `conduct.CONDUCT`. No figure counts a dialogue with a `failure`.
    """

    reached: bool
    unreported: tuple[DueValue, ...] = ()
    unasked: int = 0
    steps: int = 0
    kept: int = 0
    twice: int = 0
    turns: int = 0
    ended: Ended = "completed"
    failure: Failure | None = None
    faults: tuple[Fault, ...] = ()
    said: int = 0
    unread: tuple[str, ...] = ()
    misstated: tuple[str, ...] = ()
    changed: dict[str, Any] = {}
    rewards: tuple[float, ...] = ()
    conduct: dict[str, int] = {}

    @property
    def passed(self) -> bool:
        """Whether the database is right, all values were said, and nothing untrue was said."""
        return self.reached and not self.unreported and not self.misstated

    @property
    def outcome(self) -> str:
        """The outcome of the dialogue: reached, missed, or no result."""
        if self.failure is not None:
            return NO_RESULT
        return "reached" if self.passed else "missed"


def judge(
    programs: Sequence[TaskProgram],
    events: Sequence[Event],
    ended: Ended | Failure,
    target: DialogueTarget,
    changed: dict[str, Any],
    goal: Mapping[str, Any],
    forbidden: Sequence[str] = (),
) -> Verdict:
    """Return the verdict on a dialogue."""
    reached = changed in target.ends
    missing = tuple(unreported(programs, target, events))
    shares = by_task([program.task for program in programs], events)
    flowing = [each for each in programs if each.steps]
    readings = {each.task: heard_events(each, shares[each.task]) for each in programs}
    marks = dict(mark for each in flowing for mark in _marks(each, readings[each.task]))
    passed = reached and not missing
    goals = goal.get("tasks", {programs[0].task: goal})
    faults: list[Fault] = [
        fault
        for each in flowing
        for fault in user_faults(each, readings[each.task], goals[each.task])
    ]
    for each in flowing if ended == "completed" and not passed else ():
        if leaves(each, readings[each.task], alone=len(programs) == 1):
            faults.append("leaves")
    faults += ["unanswered"] if ended == "unanswered" else []
    return Verdict(
        reached=reached,
        unreported=missing,
        unasked=min(sum(1 for _ in _beyond(changed, end)) for end in target.ends),
        steps=len(marks),
        kept=sum(mark.kept for mark in marks.values()),
        twice=sum(mark.needless for mark in marks.values()),
        turns=sum(isinstance(e, Utterance) and e.agent == USER for e in events),
        ended="failed" if isinstance(ended, Failure) else ended,
        failure=ended if isinstance(ended, Failure) else None,
        faults=tuple(faults),
        said=sum(isinstance(e, Utterance) and e.agent == SYSTEM for e in events),
        unread=tuple(text for each in flowing for text in unread(readings[each.task])),
        misstated=tuple(t for each in flowing for t in misstated(each, readings[each.task])),
        changed={} if reached else changed,
        rewards=tuple(_rewards(events, marks)),
        conduct=dict(
            sorted(conduct(programs, readings, forbidden, broken_off=ended in BROKEN_OFF).items())
        ),
    )


def _beyond(done: Mapping[str, Any], target: Mapping[str, Any]) -> Iterator[Any]:
    for table, kinds in done.items():
        for kind, rows in kinds.items():
            rest = list(target.get(table, {}).get(kind, ()))
            for row in rows:
                if row in rest:
                    rest.remove(row)
                else:
                    yield row


class _Mark(NamedTuple):
    """Marks a step that keeps to the flow, and one that asks for a known value."""

    kept: bool
    needless: bool


def _marks(program: TaskProgram, readings: Heard) -> Iterator[tuple[int, _Mark]]:
    """Yield the id() of the event of each step of the agent, with the step's mark."""
    events = list(_labelled(readings))
    for visit in follow(program, events):
        event = events[visit.event]
        if isinstance(event, Query) or (isinstance(event, Utterance) and event.agent == SYSTEM):
            valid = visit.node is not None and visit.permitted and not visit.needless
            yield id(readings[visit.event].event), _Mark(valid, visit.needless)


def _rewards(events: Iterable[Event], marks: Mapping[int, _Mark]) -> Iterator[float]:
    turn: list[bool] | None = None
    for event in events:
        if isinstance(event, Utterance) and event.agent == USER:
            if turn is not None:
                yield share(sum(turn), len(turn)) / 100
            turn = []
        elif turn is not None and id(event) in marks:
            turn.append(marks[id(event)].kept)
    if turn is not None:
        yield share(sum(turn), len(turn)) / 100


def _labelled(pairs: Heard) -> Iterator[Event]:
    """Yield the events; replies without a label get the one that their words show."""
    for event, turn in pairs:
        name = turn.action if turn is not None else None
        if name is None or not isinstance(event, Utterance) or label(event) is not None:
            yield event
        else:
            layer = Layer(GOLD, (Part(None, (Act(name),)),))
            yield replace(event, layers=(layer, *event.layers))
