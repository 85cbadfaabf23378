"""Agents that answer in unusual ways: each has a defined outcome."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar

import pytest
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, USER, Dialogue, Event, Query, Utterance
from dialoom.dialogue.participant import Participant
from dialoom.dialogue.views import label
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.flow import OracleAgent
from dialoom.play.results.failure import failure_of
from dialoom.play.results.summary import Played, played
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of

READY = ReadyTask(pack.load("restaurant_book"), 7)
BYE = "Goodbye, and bring a good appetite."

Said = Callable[[Sequence[Event], Sequence[Event]], Sequence[Event]]
"""Returns what an agent answers in place of the oracle's events, given those before."""


class Changed:
    """The oracle without labels, whose answers are changed.

    Args:
        change: What is answered in place of the oracle's events.
    """

    reads_acts: ClassVar[bool] = True

    def __init__(self, change: Said) -> None:
        self._change = change

    def ready(self, tasks: Iterable[str]) -> None:
        """Do nothing."""

    def join(self, seat: AgentSeat) -> Participant:
        """Return an agent for one dialogue."""
        self._oracle = OracleAgent().join(seat)
        return self

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the changed answer, without labels."""
        answer = self._change(events, self._oracle.reply(events))
        return tuple(replace(e, layers=()) if isinstance(e, Utterance) else e for e in answer)


def dialogues(change: Said, goals: int = 4) -> Iterator[Dialogue]:
    for number in range(goals):
        goal = GoalRun((READY,), number, seed_of(7, number))
        yield goal.dialogue(Changed(change), SimulatedUsers(), 0)


def verdicts(change: Said, goals: int = 4) -> list[Played]:
    return [verdict for each in dialogues(change, goals) if (verdict := played(each)) is not None]


def say(text: str) -> Utterance:
    return Utterance(agent=SYSTEM, text=text)


def named(events: Sequence[Event], name: str) -> bool:
    return any(isinstance(e, Utterance) and name in (label(e) or "") for e in events)


def turns_of_user(events: Sequence[Event]) -> int:
    return sum(isinstance(e, Utterance) and e.agent == USER for e in events)


def test_a_report_and_a_goodbye_in_one_turn_end_a_dialogue() -> None:
    ended: set[int] = set()

    def change(before: Sequence[Event], answer: Sequence[Event]) -> Sequence[Event]:
        if named(answer, "booking_successful"):
            ended.add(len(ended))
            return [*answer[:1], say(BYE)]
        return answer

    judgements = verdicts(change)
    assert ended
    assert all(each.passed for each in judgements)
    assert {each.verdict.get("ended", "completed") for each in judgements} == {"completed"}


def test_an_agent_that_takes_leave_in_the_confirming_turn_has_not_booked() -> None:
    def change(before: Sequence[Event], answer: Sequence[Event]) -> Sequence[Event]:
        if any(isinstance(e, Utterance) and BYE in e.text for e in before):
            return [say(BYE)]
        return [*answer, say(BYE)] if named(answer, "confirm_booking") else answer

    judgements = [each for each in verdicts(change) if each.wanted["effects"]]
    assert judgements
    assert {failure_of(each) for each in judgements} == {"not done"}
    assert all(each.verdict["turns"] < 20 for each in judgements)


def test_an_agent_that_says_the_same_for_ever_is_left() -> None:
    question = "When would you like to sit down?"
    judgements = verdicts(lambda before, answer: [say(question)])
    assert all(not each.passed for each in judgements if each.wanted["effects"])
    assert all(each.verdict["turns"] < 30 for each in judgements)
    assert all(not each.verdict.get("faults") for each in judgements)


def test_an_agent_that_calls_for_ever_is_broken_off() -> None:
    def change(before: Sequence[Event], answer: Sequence[Event]) -> Sequence[Event]:
        return [e for e in answer if isinstance(e, Query)] or [Query(id="q", api="restaurant_book")]

    (judgement,) = verdicts(change, 1)
    assert judgement.verdict["ended"] == "calls"
    assert judgement.verdict["conduct"]["broken_off"] == 1


def test_a_turn_may_have_several_messages() -> None:
    def change(before: Sequence[Event], output: Sequence[Event]) -> Sequence[Event]:
        parts: list[Event] = []
        for event in output:
            texts = re.split(r"(?<=[.?!]) ", event.text) if isinstance(event, Utterance) else []
            parts += [say(text) for text in texts] if len(texts) > 1 else [event]
        return parts

    output = list(dialogues(change))
    assert any(
        isinstance(one, Utterance) and isinstance(two, Utterance) and one.agent == two.agent
        for each in output
        for one, two in zip(each.events, each.events[1:], strict=False)
    )
    assert all(verdict.passed for each in output if (verdict := played(each)) is not None)


@pytest.mark.parametrize("greeting", ["Welcome! What can I do for you?", "Hello."])
def test_an_agent_that_greets_before_it_listens_hears_the_wish_next(greeting: str) -> None:
    def change(before: Sequence[Event], answer: Sequence[Event]) -> Sequence[Event]:
        return [say(greeting)] if turns_of_user(before) == 1 else answer

    assert all(each.passed for each in verdicts(change))


@pytest.mark.parametrize("text", ["", "...", "\U0001f600"])
def test_an_agent_that_says_nothing_is_silent(text: str) -> None:
    (judgement,) = verdicts(lambda before, answer: [say(text)] if text else [], 1)
    assert judgement.verdict["ended"] == "silence"
    assert judgement.verdict["conduct"]["broken_off"] == 1
