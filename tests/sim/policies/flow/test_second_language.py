"""A task in another language: its schema and its words in `lang/` are all there is to it."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Instruction, Utterance
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.presets.star import StarPlan
from tests.sim.checks import check

FOLDER = Path(str(resources.files("dialoom").joinpath("tasks/de")))
FILES = sorted(FOLDER.glob("*.yaml"))
EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_there_are_several_tasks_of_the_second_language() -> None:
    assert len(FILES) >= 4


@EACH
@pytest.mark.parametrize("scenario", ["happy", "unhappy", "mixed"])
def test_every_dialogue_is_sound(scenario: str, file: Path) -> None:
    task = pack.resolve(file)
    made = StarPlan(tasks=(task,), seed=3, dialogues=60, scenario=scenario).source()
    for index in range(60):
        dialogue = made(index)
        if dialogue.scenario is not None and dialogue.scenario.happy:
            check(dialogue, task)
        assert all(e.text for e in dialogue.events if isinstance(e, Utterance | Instruction))


@EACH
def test_lint_finds_nothing(file: Path) -> None:
    plan = StarPlan(tasks=(pack.resolve(file),), seed=3, dialogues=60, scenario="mixed")
    linter = Linter(plan.schemas, traits=formats.traits("star"))
    made = map(plan.source(), range(60))
    assert [str(finding) for each in made for finding in linter.check(each)] == []


@EACH
def test_instructions_are_in_its_language(file: Path) -> None:
    made = StarPlan(tasks=(pack.resolve(file),), seed=1, dialogues=30, scenario="unhappy").source()
    told = {e.text for n in range(30) for e in made(n).events if isinstance(e, Instruction)}
    assert any("Sie" in text.split() for text in told)
    assert not any("You" in text.split() for text in told)


def test_the_bundled_names_are_what_they_were() -> None:
    assert len(pack.names()) == 24
    assert not {file.stem for file in FILES} & {*pack.names()}


def test_greetings_have_capitals() -> None:
    """ "Guten tag." """
    plan = StarPlan(tasks=(pack.resolve(FILES[-1]),), seed=3, dialogues=60, scenario="mixed")
    for index in range(60):
        for event in plan.source()(index).events:
            if isinstance(event, Utterance):
                assert not re.search(r"\bGuten? (?:tag|morgen|abend)\b|Grüß gott", event.text)


def test_small_talk_has_more_than_a_few_wordings() -> None:
    """ "Meine Katze sieht mir beim Tippen zu" in every second dialogue."""
    kinds = scenario_texts("de").kinds
    assert min(len(kinds[kind].user) for kind in ("chat", "under", "back", "open")) >= 7


def test_values_have_a_case_that_fits() -> None:
    """ "Wie erwähnt, Herrn Özdemir": values of the tasks may be accusatives, such as "Herrn"."""
    for kind in ("back", "change", "event", "negation"):
        for text in scenario_texts("de").kinds[kind].user:
            assert not re.search(
                r"\{\w+\} (?:ist|sein)|(?:bei|außer|mit) \{|(?:wähnt|sagt), \{", text
            )
