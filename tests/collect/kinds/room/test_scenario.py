"""What people are given: by kind of task and scenario."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Any

import pytest

from dialoom.collect.kinds.room.scenario import Scenario, ScenarioLibrary
from dialoom.collect.kinds.room.wizard.tools import WizardTools
from dialoom.collect.settings import InstructionPlan, Settings
from dialoom.dialogue import Constraint
from dialoom.schema import pack
from tests.found import some
from tests.make import GERMAN

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
            found = NUMBERED.search(text)
            assert found and (int(found[2]), int(found[4])) == (number, many)
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
    named = 0
    for scenario in ScenarioLibrary(settings).scenarios():
        told = scenario.user_task
        for _, text in scenario.instructions:
            for found in filter(None, (pattern.search(text) for pattern in CITED)):
                cited = found[1].casefold().removeprefix("the ")
                assert cited in told.casefold(), (told, text)
                named += 1
            told += f"\n{text}"
    assert named > 40


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
                asked = tuple(
                    Constraint(name, "equal", (goal["values"][slot],))
                    for name, slot in keys.items()
                    if slot in goal["values"]
                )
                name, state = scenario.id, scenario.state(task)
                assert tools.answer("bank_authenticate", asked, (), name).total == 0
                assert tools.answer("bank_authenticate", asked, (), name, state).total == 1
                answered += 1
    assert answered
