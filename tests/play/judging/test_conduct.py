"""What an agent does too early, twice, or in the wrong words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

import dialoom
from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import TaskProgram
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.flow import OracleAgent
from dialoom.play.judging.conduct import CONDUCT, conduct, read_forbidden
from dialoom.play.judging.heard import UserWords, heard_events
from dialoom.play.judging.verdict import judge
from dialoom.play.results.summary import Played, summarise
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.running.trial import play
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.briefing import policy
from tests.make import utterance

GOAL = GoalRun((ReadyTask(pack.load("restaurant_book"), 7),), 3, seed_of(7, 3))
PROGRAM: TaskProgram = GOAL.tasks[0].program
SEAT = GOAL.seat(0)
with GOAL.opened(SEAT) as bases:
    EVENTS, _ = play(
        SimulatedUsers().join(SEAT),
        OracleAgent().join(AgentSeat(programs=(PROGRAM,), seed=b"")),
        bases.call,
        reads_acts=True,
    )


POLICY = next(line for line in policy((PROGRAM,)).split("\n") if line)
"""The first line of the agent's instructions."""


def counted(events: Sequence[Event], *forbidden: str) -> dict[str, int]:
    return dict(conduct([PROGRAM], {PROGRAM.task: heard_events(PROGRAM, events)}, forbidden))


def bare(events: Iterable[Event]) -> list[Event]:
    """Return events without the labels of the agent."""
    return [
        replace(e, layers=()) if isinstance(e, Utterance) and e.agent == SYSTEM else e
        for e in events
    ]


def calls() -> list[int]:
    return [place for place, event in enumerate(EVENTS) if isinstance(event, Query)]


def test_an_agent_that_follows_the_flow_is_not_at_fault() -> None:
    assert counted(EVENTS) == counted(bare(EVENTS)) == {}


def test_a_booking_needs_a_decision_of_the_user() -> None:
    booked = calls()[-1]
    early = [
        e
        for place, e in enumerate(EVENTS)
        if not (place < booked and isinstance(e, Utterance) and label(e) == "accept")
    ]
    assert counted(early)["booked_unconfirmed"] == 1


def test_a_value_that_the_user_did_not_give_is_not_confirmed() -> None:
    booked = calls()[-1]
    query = EVENTS[booked]
    assert isinstance(query, Query)
    wrong = [
        replace(each, values=("03:00",)) if each.slot == "Time" else each
        for each in query.constraints
    ]
    events = [*EVENTS]
    events[booked] = replace(query, constraints=tuple(wrong))
    assert counted(events) == {"booked_unconfirmed": 1}


def test_a_call_without_a_value_that_the_user_gave() -> None:
    booked = calls()[-1]
    query = EVENTS[booked]
    assert isinstance(query, Query)
    events = [*EVENTS]
    events[booked] = replace(
        query, constraints=tuple(c for c in query.constraints if c.slot != "CustomerName")
    )
    assert counted(events) == {"left_out": 1}


@pytest.mark.parametrize("which", [0, -1])
def test_the_same_call_once_more(which: int) -> None:
    place = calls()[which]
    again = [*EVENTS[: place + 2], *EVENTS[place : place + 2], *EVENTS[place + 2 :]]
    assert counted(again)["called_twice"] == 1


def test_a_result_is_reported_after_the_call() -> None:
    talk = [e for e in EVENTS if not isinstance(e, Query | Result)]
    assert counted(talk)["reported_unchecked"] >= 2
    assert counted(bare(talk))["reported_unchecked"] >= 1
    assert counted(talk)["left_early"] == 1


def test_a_line_that_is_repeated_is_no_goodbye() -> None:
    run = dialoom.play(lambda message: "Checking.", tasks="weather", n=3, seed=1, progress=False)
    assert run.summary["all"]["counts"] == {}


def test_a_value_is_asked_for_once() -> None:
    place = calls()[0]
    question = "And under what name shall I book it?"
    assert counted([*EVENTS[:place], utterance(SYSTEM, question), *EVENTS[place:]]) == {
        "asked_twice": 1
    }
    early = next(
        n for n, e in enumerate(EVENTS) if isinstance(e, Utterance) and label(e) == "give_name"
    )
    assert "asked_twice" not in counted(
        [*EVENTS[: early - 1], utterance(SYSTEM, question), *EVENTS[early:]]
    )


def test_a_question_beside_the_task() -> None:
    place = calls()[0]
    strange = utterance(SYSTEM, "What is the colour of your grandmother's bicycle?")
    assert counted([*EVENTS[:place], strange, *EVENTS[place:]]) == {"asked_needless": 1}


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("You fool, wait a minute.", "forbidden"),
        ("Foolish people wait.", None),
        (POLICY, "leaked"),
        ('{"name": "restaurant_book"}', "leaked"),
        ("Un instant, je regarde ce que nous avons encore pour vous.", "wrong_language"),
        ("Einen Moment, ich sehe nach, was es dort noch gibt.", "wrong_language"),
        ("One moment, I am looking at what they still have for you.", None),
        ("Un instant !", None),
    ],
)
def test_words_that_an_agent_should_not_say(text: str, figure: str | None) -> None:
    place = calls()[0]
    faults = counted([*EVENTS[:place], utterance(SYSTEM, text), *EVENTS[place:]], "fool")
    assert set(faults) - {"asked_twice"} == ({figure} if figure else set())


def test_forbidden_words_come_from_an_option_or_a_file(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("fool\n\nyou people \n")
    assert read_forbidden(str(file)) == ("fool", "you people")
    assert read_forbidden("fool, idiot") == ("fool", "idiot")
    assert read_forbidden(None) == ()


def test_what_is_broken_off_counts_and_figures_are_shares() -> None:
    target, goal = GOAL.target, SEAT.goal
    ended = judge([PROGRAM], EVENTS[:4], "silence", target, {}, goal)
    whole = judge([PROGRAM], EVENTS, "completed", target, target.effects, goal)
    assert (ended.conduct, whole.conduct) == ({"broken_off": 1}, {})
    run = [Played(PROGRAM.task, n, {"reached": True, "conduct": c}, {}) for n, c in
           enumerate(({}, {"forbidden": 3}))]  # fmt: skip
    figures = summarise(run)["all"]
    assert (figures["forbidden"], figures["counts"]) == (50, {"forbidden": 3})
    assert all(name in figures for name in CONDUCT)


def test_a_user_has_said_what_the_annotation_or_the_words_have() -> None:
    words = UserWords([PROGRAM])
    words.add(Utterance(agent=USER, text="At seven pm for Ruth Okonjo."))
    slots = PROGRAM.schema.slots
    time = next(slot for slot in slots.values() if slot.type == "time")
    assert words.named(PROGRAM, time, "19:00")
    assert words.named(PROGRAM, None, "Ruth Okonjo")
    assert not words.named(PROGRAM, time, "20:00")
