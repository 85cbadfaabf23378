"""Settings that make no sense are told in a line that says what would be right."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from dialoom.collect.settings import ScenarioMode, Settings, Stage, Translation
from dialoom.collect.settings_check import (
    check,
    check_address,
    file_mistakes,
    pictures,
    setting_mistakes,
)
from dialoom.collect.settings_types import type_mistakes
from dialoom.collect.stage_rules import QuizText
from dialoom.errors import UsageError
from dialoom.schema.places import parse
from dialoom.sim import SCENARIOS
from tests.make import refuses

_WRITE = {"name": "write", "kind": "self_dialogue"}
_MARK = {"name": "mark", "kind": "annotation", "of": "write"}
_SETTLE = {"name": "settle", "kind": "adjudication", "of": "mark"}


@pytest.mark.parametrize(
    ("named", "word"),
    [
        ({"gard": "warn"}, "guard"),
        ({"guard": "warm"}, "warn"),
        ({"stages": "five"}, "star"),
        ({"times": {"idle_warming": 3}}, "idle_warning"),
        ({"times": {"idle_warning": -1}}, "times.idle_warning"),
        ({"times": {"idle": float("nan")}}, "times.idle"),
        ({"pay": {"single": -5}}, "pay.single"),
        ({"quiz": {"few": -5}}, "quiz.few"),
        ({"quiz": {"fewer_to_be_paid": 0}}, "quiz.fewer_to_be_paid"),
        ({"spare": -1}, "spare"),
        ({"batch": "\u200b"}, "batch"),
        ({"story": "travel_day", "tasks": ("weather",)}, "story"),
        ({"codes": {"compleated": "C1"}}, "completed"),
        ({"redirects": {"compleated": "https://x.example"}}, "completed"),
        ({"redirects": {"completed": "x.example"}}, "redirects.completed"),
        *(({"currency": code}, "currency") for code in ("euro", "JPY", "XXX", "KWD")),
        ({"recruiter": "mturk", "currency": "EUR"}, "currency: 'EUR': mturk pays in USD"),
        ({"codes": {"completed": " "}}, "codes.completed"),
        ({"guide": {"single": [0, 2, 2]}}, "guide.single: 0, 2, 2"),
        ({"guide": {"multi": [-1, 2]}}, "guide.multi"),
        ({"scenarios": 0}, "scenarios"),
        ({"suggestions": [0, 6]}, "suggestions"),
        ({"present_wizard_as": "automated"}, "debriefing"),
        ({"present_wizard_as": "automated", "debriefing": "\u200b "}, "debriefing"),
        ({"language": "xx"}, "xx"),
        ({"encoder": "bird"}, "unknown encoder 'bird'"),
        ({"video": {"single": "https://example.org/a.mp4"}}, "single_tutorial"),
        ({"video": {"single_tutorial": "a.mp4"}}, "https://"),
        ({"scenario": "sad"}, "happy, mixed"),
        ({"seed": -1}, "seed"),
        ({"approval": 150}, "approval: right would be a number of at most 100"),
        ({"approved": -5}, "approved"),
        ({"pay": {"top_share": 5}}, "pay.top_share"),
        ({"country": "Germany"}, "two letters"),
        ({"times": {"idle_warning": 90, "idle": 60}}, "times.idle_warning: 90"),
        ({"wizards": ["w-1", ""]}, "wizards[1]"),
        ({"stages": [{"name": "talk", "only": [" "]}]}, "stages[0].only[0]"),
        ({"stages": [{"name": "a\nb"}]}, "printable"),
        ({"stages": [{"name": "a" * 65}]}, "1 to 64"),
        ({"stages": [{"name": "talk", "groups": ["multy"]}]}, "multi"),
        ({"stages": [{"name": "talk", "groups": ["multi"]}]}, "right would be single"),
        ({"stages": [{"name": "write", "kind": "self_dialogue", "groups": ["single"]}]}, "out"),
        ({"stages": [{"name": "talk", "gate": "quiz"}]}, "stages[0].gate"),
        ({"stages": [{"name": "a"}, {"name": "b", "gate": "quiz"}]}, "stages[1].gate"),
        (
            {"stages": [_WRITE, {"name": "type", "kind": "transcription", "of": "write"}]},
            "kind spoken",
        ),
        ({"stages": [_WRITE, {**_WRITE, "name": "more", "of": "write"}]}, "leave it out"),
        ({"stages": [_WRITE, {"name": "talk", "of": "write"}]}, "leave it out"),
        ({"stages": [_WRITE, {**_SETTLE, "of": "write"}]}, "an annotation with 2 or more"),
        ({"stages": [_WRITE, _MARK, _SETTLE]}, "an annotation with 2 or more"),
        (
            {"stages": [{"name": n, "kind": "bot", "goals": g} for n, g in ("ac", ("b", "none"))]},
            "same `goals`",
        ),
    ],
)
def test_values_that_no_study_runs_with(named: dict[str, Any], word: str) -> None:
    assert word in _refusal(named)


def _refusal(settings: dict[str, Any]) -> str:
    """Return the first mistake in settings: of their names and types, else of their values."""
    if wrong := list(type_mistakes(settings)):
        return str(wrong[0])
    with pytest.raises(UsageError) as caught:
        check(msgspec.convert(settings, Settings))
    return str(caught.value)


def test_numbers_out_of_range_are_found_in_settings_of_a_program() -> None:
    with refuses(UsageError, "cannot-work", "target"):
        check(Settings(tasks=("weather",), target=0))


def test_settings_that_are_right() -> None:
    check(Settings(tasks=(), present_wizard_as="automated", debriefing="It was a person."))
    check_address("https://talk.example.org/study", "--url")


@pytest.mark.parametrize("address", ["foo", "ftp://a", "http://", "http://a b", "javascript:1"])
def test_an_address_that_is_none(address: str) -> None:
    with refuses(UsageError, "no-address", "--url"):
        check_address(address, "--url")


STUDY = """\
tasks: [weather, no_such_task]
currency: euro
stages:
  - {name: a, kind: room, workers: 0}
  - {name: a, kind: roomy}
  - {name: c, kind: annotation, corpus: /no/such/corpus}
"""


def test_a_file_has_all_its_mistakes_with_their_places() -> None:
    document = parse(STUDY, "study.yaml")
    mistakes = list(file_mistakes(document))
    assert {mistake.pointer for mistake in mistakes} == {
        ("tasks", 1),
        ("currency",),
        ("stages", 0, "workers"),
        ("stages", 1, "name"),
        ("stages", 1, "kind"),
        ("stages", 2, "corpus"),
    }
    assert {document.place(mistake.pointer).line for mistake in mistakes} == {1, 2, 4, 5, 6}


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("stages:\n  - {name: a, wrkers: 2}\n", [("stages", 0, "wrkers")]),
        (
            "stages:\n  - {name: a, asks: [{id: b, txt: c}]}\n",
            [("stages", 0, "asks", 0, "txt"), ("stages", 0, "asks", 0, "text")],
        ),
        ("translations: {de: {purpse: c}}\n", [("translations", "de", "purpse")]),
        ("stages:\n  - {name: a, pay: two}\n", [("stages", 0, "pay")]),
        ("- a\n", [()]),
    ],
)
def test_names_and_types_come_first(text: str, pointers: list[tuple[str | int, ...]]) -> None:
    mistakes = list(file_mistakes(parse(text, "study.yaml")))
    assert [mistake.pointer for mistake in mistakes] == pointers
    assert all(mistake.what for mistake in mistakes)


@pytest.mark.parametrize("tasks", ["all", "packages"])
def test_names_of_several_tasks_and_of_the_search_are_tasks(tasks: str) -> None:
    assert not list(file_mistakes(parse(f"tasks: [{tasks}]", "study.yaml")))


def test_a_right_file_has_no_mistake() -> None:
    text = "tasks: [weather, wetter]\nguard: reason\ntranslations: {de: {purpose: Wozu}}\n"
    assert not list(file_mistakes(parse(text, "study.yaml")))


@pytest.mark.parametrize(
    ("text", "pointer", "word"),
    [
        ("{}", ("tasks",), "tasks: [weather]"),
        ("tasks: []", ("tasks",), "tasks: [weather]"),
        ("stages: [{name: talk, kind: bot}]", ("tasks",), "tasks: [weather]"),
        ("{tasks: [weather], scenario: multi}", ("scenario",), "at least 2"),
        ("{tasks: [weather], translations: {xx: {name: a}}}", ("translations", "xx"), "known: en"),
        ("stages: [{name: a, kind: bot, tasks: [nope]}]", ("stages", 0), "nope"),
        ("stages: [{name: a, kind: bot, tasks: [weather, wetter]}]", ("stages", 0), "'de'"),
        ("stages: [{name: a, kind: bot, tasks: [wetter, weather]}]", ("stages", 0), "'de'"),
        ("stages: [{name: a, kind: self_dialogue, tasks: [nope]}]", ("stages", 0), "nope"),
        ("stages: [{name: a, kind: paraphrase, tasks: [nope]}]", ("stages", 0), "nope"),
        ("stages: [{name: a, kind: annotation, corpus: FILE}]", ("stages", 0), "formats"),
        ("stages: [{name: a, kind: rating, outputs: FILE}]", ("stages", 0), "JSON"),
        ("stages: [{name: a, kind: bot, tasks: [weather], goals: FILE}]", ("stages", 0), "goals"),
    ],
)
def test_a_file_that_no_study_starts_with(
    tmp_path: Path, text: str, pointer: tuple[str | int, ...], word: str
) -> None:
    file = tmp_path / "file.bin"
    file.write_text("no, nothing\n")
    document = parse(text.replace("FILE", str(file)), "study.yaml")
    [mistake] = file_mistakes(document)
    assert mistake.pointer == pointer
    assert word in str(mistake)
    assert not list(file_mistakes(document, whole=False))


def test_pictures_in_guidelines_have_addresses() -> None:
    text = "Look:\n![A cup](https://p.example/cup.png)\n![A pot](pot.png)\nNo ![line](of its own)."
    stage = Stage(name="mark", kind="annotation", corpus="sgd", guidelines=text)
    quiz = QuizText(guidelines="![A can](can.png)")
    other = Translation(quizzes={"rules": quiz})
    settings = Settings(tasks=("weather",), stages=(stage,), translations={"de": other})
    addresses = dict(pictures(settings))
    place = ("translations", "de", "quizzes", "rules", "guidelines")
    assert addresses == {("stages", 0, "guidelines"): "pot.png", place: "can.png"}
    assert {("stages", 0, "guidelines"), place} <= {m.pointer for m in setting_mistakes(settings)}


def test_gold_items_need_marks_to_compare() -> None:
    gold = {"items": "gold.jsonl"}
    for layers, where in ((["spans"], []), ([], ["gold"])):
        stage = {"name": "judge", "kind": "annotation", "corpus": "c", "layers": layers}
        settings = msgspec.convert({"stages": [stage | {"gold": gold}]}, Settings)
        keys = [mistake.pointer[-1] for mistake in setting_mistakes(settings)]
        assert keys == where


def test_a_study_has_the_scenarios_of_the_simulator() -> None:
    assert set(get_args(ScenarioMode)) == set(SCENARIOS)
