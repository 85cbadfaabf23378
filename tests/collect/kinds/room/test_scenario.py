"""What people are given: by kind of task and scenario."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.collect.kinds.room.scenario import Scenario, ScenarioLibrary, reschedule
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.settings import InstructionPlan, Settings
from dialoom.dialogue import Constraint
from dialoom.schema import pack
from tests.found import some
from tests.make import GERMAN

TURNS = st.lists(st.integers(0, 20), max_size=12).map(sorted)
PLANS = st.lists(st.integers(0, 20), max_size=8, unique=True).map(sorted)


def told(*turns: int) -> list[tuple[int, str]]:
    return [(turn, f"Do it {number}.") for number, turn in enumerate(turns)]


def turns(held: list[tuple[int, str]], plan: tuple[int, ...]) -> list[int]:
    return [turn for turn, _ in reschedule(held, plan)]


def test_the_plan_is_cut_off_where_there_are_fewer() -> None:
    assert turns(told(0, 1, 2), InstructionPlan().single) == [0, 2, 3]
    assert turns(told(0, 4, 9, 12), InstructionPlan().multi) == [0, 3, 5, 6]


def test_the_plan_goes_on_as_it_ends_where_there_are_more() -> None:
    assert turns(told(*range(8)), InstructionPlan().multi) == [0, 3, 5, 6, 7, 9, 11, 13]
    assert turns(told(0, 0), (1,)) == [1, 2]


def test_what_does_not_fit_the_start_does_not_come_there() -> None:
    """As STAR's sets at 2, 3, 4, 5, 6 and 7."""
    assert turns(told(1, 2, 3, 4, 5, 6), InstructionPlan().single) == [2, 3, 4, 5, 6, 7]
    assert turns(told(2), (0,)) == [1]
    assert turns(told(2), (3, 4)) == [3]


@given(TURNS, PLANS)
def test_all_come_in_order_one_at_a_time(simulated: list[int], plan: list[int]) -> None:
    messages = told(*simulated)
    schedule = list(reschedule(messages, plan))
    assert [text for _, text in schedule] == [text for _, text in messages]
    places = [turn for turn, _ in schedule]
    assert places == sorted(places)
    assert len(set(places)) == len(places) or not plan
    assert not plan or all(place > 0 for place in places) or simulated[0] == 0


@given(TURNS)
def test_without_a_plan_they_come_when_they_did(simulated: list[int]) -> None:
    assert list(reschedule(told(*simulated), ())) == told(*simulated)


KINDS: dict[str, dict[str, Any]] = {
    "happy": {"tasks": pack.names(), "scenario": "happy"},
    "unhappy": {"tasks": pack.names(), "scenario": "unhappy"},
    "multi": {"tasks": pack.names(), "scenario": "multi"},
    "packages": {"tasks": ("packages",)},
    "german": {"tasks": (GERMAN,), "scenario": "unhappy"},
}
ABOUT = re.compile(r"\bthe (user|assistant's user|wizard)\b|\bdes Gastes\b|\bder Gast\b")
SPOKEN_TO = re.compile(r"\b(Sie|Ihnen|You|you|your)\b|^[A-Z][a-z]+ ")
NUMBERED = re.compile(r" \[(instruction|Anweisung) (\d+) (of|von) (\d+)\]$")


@cache
def made(kind: str) -> tuple[Scenario, ...]:
    library = ScenarioLibrary(Settings(**{"seed": 2, **KINDS[kind]}))
    return tuple(islice(library.scenarios(), 48))


@pytest.mark.parametrize("kind", KINDS)
def test_both_are_spoken_to(kind: str) -> None:
    for scenario in some(made(kind)):
        assert SPOKEN_TO.search(scenario.user_task) and SPOKEN_TO.search(scenario.wizard_task)
        for text in (scenario.user_task, *(text for _, text in scenario.instructions)):
            assert not ABOUT.search(text), text


@pytest.mark.parametrize("kind", ["unhappy", "multi", "german"])
def test_instructions_come_by_the_plan_and_end_with_their_number(kind: str) -> None:
    plan = InstructionPlan().multi if kind == "multi" else InstructionPlan().single
    for scenario in made(kind):
        many = len(scenario.instructions)
        for number, (_, text) in enumerate(scenario.instructions, start=1):
            match = NUMBERED.search(text)
            assert match and (int(match[2]), int(match[4])) == (number, many)
        turns = [turn for turn, _ in scenario.instructions]
        within = [turn for turn in turns if turn <= plan[-1]]
        assert within in (list(plan[: len(within)]), list(plan[1 : len(within) + 1]))
    assert kind != "multi" or all(scenario.instructions[0][0] == 0 for scenario in made(kind))


def test_the_plan_is_a_setting() -> None:
    guide = InstructionPlan(single=(1, 5, 6, 7, 8, 9))
    library = ScenarioLibrary(Settings(tasks=("weather",), scenario="unhappy", guide=guide))
    for scenario in some(islice(library.scenarios(), 5)):
        turns = tuple(turn for turn, _ in scenario.instructions)
        assert turns == guide.single[: len(turns)]


def test_the_same_texts_at_other_turns_are_the_same_texts() -> None:
    one, other = (
        next(
            ScenarioLibrary(
                Settings(tasks=("weather",), scenario="unhappy", guide=guide)
            ).scenarios()
        )
        for guide in (InstructionPlan(), InstructionPlan(single=()))
    )
    assert one.instructions != other.instructions
    assert one.texts == other.texts


CITED = [
    re.compile(pattern)
    for pattern in (
        r"want .+? now, not (.+?) \(",
        r": .+? in place of (.+?)\.",
        r"must be .+? now instead of (.+?) \(",
        r"ask for .+?, no longer (.+?) \(",
        r"such as (.+?)\. \[",
        r"told it earlier \((.+?)\)",
    )
]
"""What instructions say of a value that was given before."""


@pytest.mark.parametrize("task", ["hotel_search", "hotel_book", "apartment_schedule"])
def test_instructions_name_only_values_in_the_text_of_the_user(task: str) -> None:
    settings = Settings(tasks=(task,), scenario="unhappy", scenarios=60, seed=3)
    count = 0
    for scenario in ScenarioLibrary(settings).scenarios():
        brief = scenario.user_task
        for _, text in scenario.instructions:
            for match in filter(None, (pattern.search(text) for pattern in CITED)):
                cited = match[1].casefold().removeprefix("the ")
                assert cited in brief.casefold(), (brief, text)
                count += 1
            brief += f"\n{text}"
    assert count > 40


def test_names_of_a_story_are_in_the_tables_of_its_rooms() -> None:
    """Two tasks have tables without a name in common; their rooms know the one of the story."""
    library = ScenarioLibrary(Settings(story="lost_wallet", scenarios=12))
    tools = WizardTools(library.tasks, 0)
    answered = 0
    for scenario in library.scenarios():
        assert scenario.kind == "multi"
        for task, goal in scenario.goal["tasks"].items():
            if task == "bank_fraud_report" and scenario.state(task):
                keys = {"FullName": "name", "AccountNumber": "account_number", "PIN": "pin"}
                query = tuple(
                    Constraint(name, "equal", (goal["values"][slot],))
                    for name, slot in keys.items()
                    if slot in goal["values"]
                )
                name, state = scenario.id, scenario.state(task)
                assert tools.answer("bank_authenticate", query, (), name).total == 0
                assert tools.answer("bank_authenticate", query, (), name, state).total == 1
                answered += 1
    assert answered
