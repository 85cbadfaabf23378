"""Simulated users of a task that is not bundled: the example of the docs, and changes of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import compile_task
from dialoom.quality.lint import Linter
from dialoom.reading.purpose import purposes
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from dialoom.sim.policies.flow.persons import Persons
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.task_speech import task_speech

DOCS = Path(__file__).parents[4] / "docs" / "reference" / "task-file.md"

GUESTS = "type: integer\n    description: how many people come\n    minimum: 1\n    maximum: 10"
DEPOSIT = "type: amount\n    description: what is paid now\n    minimum: 10\n    maximum: 40"


def task(*changes: tuple[str, str]) -> TaskSchema:
    match = re.search(r"```yaml\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert match is not None
    text = match[1]
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return read_text(text)


def simulated(*changes: tuple[str, str]) -> list[Dialogue]:
    schema = task(*changes)
    simulator = Simulator(schema, 1, persons=Persons("", schema.language))
    return [simulator.dialogue(index) for index in range(60)]


@cache
def examples() -> list[Dialogue]:
    return simulated()


def texts(dialogues: list[Dialogue], node: str, agent: str = USER) -> Iterator[str]:
    for dialogue in dialogues:
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == agent and label(event) == node:
                yield event.text


def test_users_of_the_example_book_and_say_yes_to_it() -> None:
    assert list(texts(examples(), "say_booked", SYSTEM))
    answers = [*texts(examples(), "accept")]
    assert answers
    assert [text for text in answers if re.search(r"\b(?:bye|goodbye|no)\b", text, re.I)] == []


def test_a_yes_to_an_offer_after_a_failure_is_no_refusal() -> None:
    schema = task(
        ("then: [refuse, leave]", "then: [refuse, wait]"),
        ("Shall we try another time?", "Shall I put you on the list?"),
        ("  leave:\n", "  wait:\n"),
        (
            '[Then I\'ll leave it., "No, that was it.", Never mind., "No, thank you.", '
            "What a pity.]\n    then: goodbye",
            "[Yes., Yes please., Sure., Yes do., Okay.]\n    then: book",
        ),
    )
    assert purposes(compile_task(schema))["wait"] == "yes"


@pytest.mark.parametrize(("slot", "bounded"), [("deposit", False), ("price", True)])
def test_only_prices_are_given_as_upper_limits(slot: str, bounded: bool) -> None:
    changes = [("slot: guests", f"slot: {slot}"), ("{guests}", f"{{{slot}}}")]
    changes += [
        ("asks: guests", f"asks: {slot}"),
        (f"  guests:\n    {GUESTS}", f"  {slot}:\n    {DEPOSIT}"),
    ]
    said = [*texts(simulated(*changes), "give_guests")]
    limits = [t for t in said if re.search(r"\b(?:max|maximum|most|up to|more than|pay)\b", t)]
    assert said
    assert bool(limits) == bounded


@pytest.mark.parametrize(("name", "kind"), [("Bello", "short-text"), ("Ben", "name")])
def test_users_give_their_own_name_only_if_an_example_is_a_first_name(name: str, kind: str) -> None:
    schema = task(("[Ada Moreau, Bram Okafor]", f"[Ada Moreau, {name}]"))
    assert task_speech(compile_task(schema)).values["name"] == kind


def test_values_of_a_name_without_first_names_are_the_examples() -> None:
    given = [*texts(examples(), "give_name")]
    assert given
    assert all(re.search("Ada Moreau|Bram Okafor", text, re.I) for text in given)


def test_a_full_stop_of_a_value_is_not_left_out() -> None:
    changes = ("[Ada Moreau, Bram Okafor]", '["Sammy Lane Jr.", "J. R."]')
    dialogues, linter = simulated(changes), Linter({"restaurant_book": task(changes)}, 1)
    assert [str(f) for each in dialogues for f in linter.check(each)] == []
