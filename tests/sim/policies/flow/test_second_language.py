"""A task in another language: its schema and its words in `lang/` are all there is to it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Instruction, Utterance
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.presets.star import StarPlan
from tests.sim.checks import check
from tests.sim.policies.flow.second_language import FILES

EACH = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def test_there_are_several_tasks_of_the_second_language() -> None:
    assert len(FILES) >= 4


@EACH
@pytest.mark.parametrize("scenario", ["happy", "unhappy", "mixed"])
def test_every_dialogue_is_sound(scenario: str, file: Path) -> None:
    task = pack.resolve(file)
    source = StarPlan(tasks=(task,), seed=3, dialogues=60, scenario=scenario).source()
    for index in range(60):
        dialogue = source(index)
        if dialogue.scenario is not None and dialogue.scenario.happy:
            check(dialogue, task)
        assert all(e.text for e in dialogue.events if isinstance(e, Utterance | Instruction))


@EACH
def test_lint_finds_nothing(file: Path) -> None:
    plan = StarPlan(tasks=(pack.resolve(file),), seed=3, dialogues=60, scenario="mixed")
    linter = Linter(plan.schemas, traits=formats.traits("star"))
    dialogues = map(plan.source(), range(60))
    assert [str(finding) for each in dialogues for finding in linter.check(each)] == []


@EACH
def test_instructions_are_in_its_language(file: Path) -> None:
    maker = StarPlan(tasks=(pack.resolve(file),), seed=1, dialogues=30, scenario="unhappy").source()
    texts = {e.text for n in range(30) for e in maker(n).events if isinstance(e, Instruction)}
    assert any("Sie" in text.split() for text in texts)
    assert not any("You" in text.split() for text in texts)


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


def spoken_german(scenario: str = "mixed", seed: int = 8) -> list[str]:
    plan = StarPlan(
        tasks=tuple(map(pack.resolve, FILES)), seed=seed, dialogues=80, scenario=scenario
    )
    dialogues = map(plan.source(), range(80))
    return [e.text for each in dialogues for e in each.events if isinstance(e, Utterance)]


def test_values_have_no_article_that_a_preposition_changes() -> None:
    """ "statt das Städtchen Birkenfels", "für die Quellstadt" """
    for file in FILES:
        for slot in pack.resolve(file).slots.values():
            if slot.name in ("ort", "start", "ziel", "tag"):
                forms = [form for value, more in slot.values.items() for form in (value, *more)]
                assert not [f for f in forms if re.match(r"(?i)(?:der|die|das|den|dem) ", f)]
    for text in spoken_german("unhappy"):
        assert not re.search(r"(?i)\bstatt (?:das|die|den) ", text), text


def test_wishes_take_a_day() -> None:
    """ "Ich möchte mit der Bahn fahren für Sonntag", "Auskunft über meine Sendung für Mittwoch" """
    for text in spoken_german():
        assert not re.search(r"Bahn fahren für|Auskunft .*\bfür \w+tag|fragen für", text), text
        assert not re.search(r"bei Ihnen (?:mir|wissen)|für \w+ und \w+tag lautet", text), text


def test_nobody_says_if_possible_twice() -> None:
    """ "Freitag wenn das geht um 16:30 wenn das geht" """
    assert not [text for text in spoken_german() if text.count("wenn das geht") > 1]


def test_numbers_in_a_recap_have_a_noun_without_article() -> None:
    """ "Dann notiere ich: die Sendungsnummer: 4113" """
    task = pack.resolve(next(file for file in FILES if file.stem == "paketumleitung"))
    ways = [text for node in task.flow.nodes.values() if node.confirms for text in node.texts]
    assert ways and all("Sendungsnummer {" in text and "die Sendungsn" not in text for text in ways)
