"""A study's own quizzes: the example of the docs runs, and every mistake has a line and a place."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.collect.account import table
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.message import Consent, QuizAnswer, QuizHint
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.settings_check import check, file_mistakes
from dialoom.collect.study.quizzes import load_quiz
from dialoom.errors import UnknownNameError, UsageError
from dialoom.schema.places import Document, parse
from tests.cli.runner import Run
from tests.collect.quizzes import EXAMPLE, example
from tests.collect.studied import PlayedStudy
from tests.make import refuses


def played(settings: Settings) -> PlayedStudy:
    library = ScenarioLibrary(settings)
    return PlayedStudy(settings, library, {})


def begin(study: PlayedStudy, language: str) -> int:
    number = study.enter(f"w-{language}", language=language)
    study.send(number, Consent())
    return number


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_quiz_of_the_docs_is_passed_and_paid(language: str) -> None:
    check(example())
    study = played(example())
    number = begin(study, language)
    view = study.state(number)
    assert ("Wetter" in view["tutorial"]["text"]) is (language == "de")
    one, two = view["quiz"]["questions"]
    assert ("Telefonnummer" in one["text"]) is (language == "de")
    assert (one["id"], one["several"]) == ("1", False)
    assert (two["id"], two["several"]) == ("2", True)
    assert view["quiz"]["most_to_pass"] == 1 and view["quiz"]["pay"]["base"] == 50
    study.send(number, QuizAnswer("1", "b"))
    assert study.refused(number, QuizAnswer("1", "a")).code == "answered_already"
    study.send(number, QuizAnswer("2", ("b", "a")))
    [_, two] = study.state(number)["quiz"]["questions"]
    assert two["tried"] == [("a", "b")] and two["hint"]
    assert study.refused(number, QuizAnswer("2", ("a", "b", "a"))).code == "tried_already"
    study.send(number, QuizAnswer("2", ("c", "a")))
    done = study.state(number)["done"]
    assert (done["outcome"], done["quiz"]) == ("completed", {"hints": 1, "passed": True})
    assert [row["cents"] for row in done["booked"]] == [50, 25]
    assert done["next"] == "talk"
    again = study.replayed()
    assert again.assignment(number).outcome == "completed"
    row = study.study.state.funnel.rows(["rules", "talk"])[0]
    assert (row["stage"], row["passed"]) == ("rules", 1)
    assert [one["stage"] for one in table(study.study)] == ["rules"]


def test_two_quizzes_lead_to_work_of_one_person() -> None:
    rules = example().stages[0]
    assert isinstance(rules, Stage)
    more = replace(rules, name="more", gate="quiz")
    write = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), gate="quiz")
    settings = Settings(stages=(rules, more, write), scenarios=1)
    check(settings)
    study = played(settings)
    for step in ("rules", "more", "write"):
        number = study.enter("w")
        assert study.study.assignment(number).stage == step
        if study.state(number)["step"] == "consent":
            study.send(number, Consent())
        if step == "write":
            assert study.state(number)["step"] == "room"
            continue
        study.send(number, QuizAnswer("1", "b"))
        study.send(number, QuizAnswer("2", ("a", "c")))


def test_its_own_limits_end_it() -> None:
    study = played(example())
    number = begin(study, "en")
    study.send(number, QuizHint("1"))
    for option in (("a",), ("b",), "c"):
        study.send(number, QuizAnswer("2", option))
    done = study.state(number)["done"]
    assert (done["outcome"], done["booked"][0]["kind"]) == ("screened_out", "rejection")


@pytest.mark.parametrize(
    ("question", "option"), [("1", ("a", "b")), ("1", ()), ("2", ()), ("2", ("a", "z")), ("2", "z")]
)
def test_options_that_there_are_not(question: str, option: str | tuple[str, ...]) -> None:
    study = played(example())
    assert study.refused(begin(study, "en"), QuizAnswer(question, option)).code == "unknown_option"


def test_a_language_without_a_translation_has_the_questions_as_they_are() -> None:
    settings = example(translations={})
    check(settings)
    study = played(settings)
    view = study.state(begin(study, "de"))
    assert "telephone" in view["quiz"]["questions"][0]["text"]


RULES: tuple[Any, ...] = ("stages", 0, "questions")
DE: tuple[Any, ...] = ("translations", "de", "quizzes", "rules", "questions")


@pytest.mark.parametrize(
    ("pointer", "value", "found"),
    [
        (("stages", 0, "questions"), [], ("stages", 0, "name")),
        (("stages", 0, "questions"), "none", RULES),
        (("stages", 0, "kind"), "room", RULES),
        (("stages", 1), {"name": "more", "kind": "quiz"}, ("stages", 1, "name")),
        ((*RULES, 0), "Why?", (*RULES, 0)),
        ((*RULES, 0, "text"), " \u200b", (*RULES, 0, "text")),
        ((*RULES, 0, "hint"), 7, (*RULES, 0, "hint")),
        ((*RULES, 0, "answer"), "a", (*RULES, 0, "answer")),
        ((*RULES, 0, "options"), {"a": "One"}, (*RULES, 0, "options")),
        ((*RULES, 0, "options"), ["One", "Two"], (*RULES, 0, "options")),
        ((*RULES, 0, "options", "a"), True, (*RULES, 0, "options", "a")),
        ((*RULES, 0, "right"), "d", (*RULES, 0, "right")),
        ((*RULES, 0, "right"), None, (*RULES, 0, "right")),
        ((*RULES, 1, "right"), [], (*RULES, 1, "right")),
        ((*RULES, 1, "right"), ["a", 3], (*RULES, 1, "right", 1)),
        ((*RULES, 0, "id"), "2", (*RULES, 1, "id")),
        ((*DE, 0, "right"), "a", (*DE, 0, "right")),
        ((*DE, 1, "options", "d"), "Nein", (*DE, 1, "options")),
        ((*DE, 1, "hint"), "", (*DE, 1, "hint")),
        (DE, [], None),
        (
            ("translations", "de", "quizzes", "rulse"),
            {},
            ("translations", "de", "quizzes", "rulse"),
        ),
    ],
)
def test_each_mistake_has_its_place(
    pointer: tuple[Any, ...], value: Any, found: tuple[Any, ...] | None
) -> None:
    settings = deepcopy(parse(EXAMPLE, "study.yaml").value)
    holder = settings
    for key in pointer[:-1]:
        holder = holder[key]
    holder[pointer[-1]] = value
    mistakes = [mistake.pointer for mistake in file_mistakes(Document("study.yaml", settings, {}))]
    assert mistakes == [] if found is None else found in mistakes


def test_questions_that_lack_in_a_translation_are_counted() -> None:
    settings = parse(EXAMPLE, "study.yaml").value
    del settings["translations"]["de"]["quizzes"]["rules"]["questions"][1]
    mistakes = file_mistakes(Document("study.yaml", settings, {}))
    assert [mistake.pointer for mistake in mistakes] == [DE]


def test_a_file_has_a_line_for_each_mistake(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    broken = EXAMPLE.replace("right: b", "right: z", 1).replace("hint: Think", "hnt: Think")
    file.write_text(broken, encoding="utf-8")
    done = run("collect", "--settings", str(file), "--db", str(tmp_path / "study.sqlite"))
    lines = done.err.splitlines()
    at = [1 + broken[: broken.index(word)].count("\n") for word in ("right: z", "hnt: Think")]
    assert done.code == 2 and not (tmp_path / "study.sqlite").exists()
    assert all(str(file) in line for line in lines)
    assert f"{file}: line {at[1]}: stages[0].questions[1].hnt: " in done.err
    file.write_text(broken.replace("hnt:", "hint:"), encoding="utf-8")
    done = run("collect", "check", str(file))
    assert f"{file}: line {at[0]}: stages[0].questions[0].right: " in done.out


@pytest.mark.parametrize(
    "stages",
    [
        (Stage(name="anything", kind="quiz"), Stage(name="talk", gate="quiz")),
        (Stage(name="talk"), Stage(name="single_tutorial", kind="quiz")),
    ],
)
def test_a_quiz_without_questions_or_a_stage_after_it_is_refused(stages: tuple[Stage, ...]) -> None:
    with refuses(UsageError, "cannot-work", "stages["):
        check(Settings(tasks=("weather",), stages=stages))
    with pytest.raises(UnknownNameError):
        load_quiz("anything", "en")
