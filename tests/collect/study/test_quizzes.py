from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom.collect.log.facts import Hinted, Tried
from dialoom.collect.message import Refused
from dialoom.collect.stage_rules import QuizLimits, QuizQuestion
from dialoom.collect.study.quizzes import PARTS, QuizAttempt, load_quiz
from dialoom.errors import UnknownNameError
from tests.found import some
from tests.make import refuses

WEB = Path(__file__).parents[3] / "web"

RULES = {
    "single_tutorial": (
        "end missed unknown opening most optional suggested request_type ideal_user ideal_assistant"
    ),
    "multi_tutorial": (
        "changed names unknown opening most topics suggested switch ideal_user ideal_assistant"
    ),
}
"""What STAR's quizzes teach, in order (Mosig et al. 2020, appendix D)."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("stage", PARTS)
def test_a_quiz_has_the_ten_questions_of_the_paper_with_hints(stage: str, language: str) -> None:
    quiz = load_quiz(stage, language)
    assert quiz.language == language
    assert " ".join(question.id for question in quiz.questions) == RULES[stage]
    for question in quiz.questions:
        assert question.right in question.options
        assert list(question.options) == list("abcd")[: len(question.options)]
        assert len(question.options) >= 2
        assert question.text and question.hint and all(question.options.values())


@pytest.mark.parametrize("stage", PARTS)
def test_languages_ask_the_same(stage: str) -> None:
    def shape(question: QuizQuestion) -> tuple[object, ...]:
        return question.id, question.right, tuple(question.options)

    english, german = (load_quiz(stage, language).questions for language in ("en", "de"))
    assert list(map(shape, english)) == list(map(shape, german))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("stage", PARTS)
def test_the_longest_option_is_right_no_more_often_than_chance(stage: str, language: str) -> None:
    questions = load_quiz(stage, language).questions
    longest = sum(
        len(one.options[str(one.right)]) >= max(map(len, one.options.values())) for one in questions
    )
    assert 0 < longest <= sum(1 / len(one.options) for one in questions)


TAUGHT = {
    "single_tutorial": {
        "end": ("3", "not before", "nicht früher"),
        "missed": ("3", "missed one, follow it now", "tun Sie es jetzt"),
        "unknown": ("2", "leaves something open, invent it", "denken Sie sich aus"),
        "opening": ("1", "only says hello", "Sagt er nur Hallo"),
        "most": ("4", "Above all", "Am wichtigsten"),
        "optional": (
            "4",
            "optional step only if you have what it needs",
            "verwenden Sie, wenn Sie es haben",
        ),
        "suggested": ("6", "only if the flow chart has nothing", "nur, wo das Ablaufdiagramm"),
        "request_type": ("5", "the type of the request decides", "sagt die Art der Anfrage"),
        "ideal_user": ("2", "make the dialogue lively", "machen Sie das Gespräch lebendig"),
        "ideal_assistant": (
            "4",
            "structured, friendly and brief",
            "planvoll, freundlich und knapp",
        ),
    },
    "multi_tutorial": {
        "changed": ("1", "has a flow chart for each", "hat für jede ein Ablaufdiagramm"),
        "names": ("2", "cannot look up any others", "Andere kann der Assistent nicht nachschlagen"),
        "unknown": ("2", "Invent the rest", "Den Rest denken Sie sich aus"),
        "opening": ("1", "only says hello", "Sagt er nur Hallo"),
        "most": ("4", "that matters most", "Das ist am wichtigsten"),
        "topics": ("2", "Cover every topic", "jedes Thema"),
        "suggested": ("5", "Take a suggestion whenever", "Nehmen Sie einen Vorschlag"),
        "switch": ("6", "continues where you left it", "geht weiter, wo er stand"),
        "ideal_user": ("3", "make the dialogue lively", "machen Sie das Gespräch lebendig"),
        "ideal_assistant": (
            "4",
            "structured, friendly and brief",
            "planvoll, freundlich und knapp",
        ),
    },
}
"""Question to the step of the built-in tutorial that teaches it, and what is said there."""


@pytest.mark.parametrize("stage", PARTS)
def test_the_tutorial_teaches_what_the_quiz_asks(stage: str) -> None:
    assert list(TAUGHT[stage]) == RULES[stage].split()
    for place, language in enumerate(("en", "de"), start=1):
        texts = json.loads((WEB / f"src/learn/learn.{language}.json").read_bytes())
        for taught in TAUGHT[stage].values():
            step = texts[f"walk.{stage.removesuffix('_tutorial')}.{taught[0]}"]
            assert taught[place] in step


def test_an_unknown_language_is_reported() -> None:
    with refuses(UnknownNameError, "unknown-name", "language of quizzes"):
        load_quiz("single_tutorial", "tlh")


def _attempt() -> QuizAttempt:
    return QuizAttempt(load_quiz("single_tutorial", "en"), QuizLimits())


def _finish(attempt: QuizAttempt) -> None:
    for question in load_quiz("single_tutorial", "en").questions:
        if question.id not in attempt._answered and not attempt.over:
            attempt.apply(attempt.answer(question.id, question.right))


def _wrong(attempt: QuizAttempt, times: int) -> None:
    for question in load_quiz("single_tutorial", "en").questions:
        for option in question.options:
            if option != question.right and times:
                attempt.apply(attempt.answer(question.id, option))
                times -= 1


@pytest.mark.parametrize(
    ("hints", "passed", "paid"),
    [(0, True, True), (6, True, True), (7, False, True), (8, False, True), (9, False, False)],
)
def test_the_two_limits_of_hints(hints: int, passed: bool, paid: bool) -> None:
    attempt = _attempt()
    _wrong(attempt, hints)
    _finish(attempt)
    assert attempt.over
    assert (attempt.hints, attempt.passed, attempt.paid) == (hints, passed, paid)


def test_a_hint_counts_once_and_a_wrong_answer_shows_it() -> None:
    attempt = _attempt()
    attempt.apply(attempt.hint("end"))
    assert attempt.begun and not _attempt().begun
    with refuses(Refused, "hinted_already"):
        attempt.hint("end")
    attempt.apply(Hinted("end"))
    assert attempt.hints == 1
    attempt.apply(Tried("missed", "a", False))
    assert attempt.hints == 2
    questions = {question["id"]: question for question in attempt.view()["questions"]}
    assert questions["missed"]["hint"] and questions["missed"]["tried"] == ["a"]
    with refuses(Refused, "tried_already"):
        attempt.answer("missed", "a")


def test_the_page_does_not_get_the_right_answers() -> None:
    attempt = _attempt()
    for question in some(attempt.view()["questions"]):
        assert question["answered"] is None and question["hint"] is None
        assert set(question) == {"id", "text", "options", "several", "hint", "tried", "answered"}


@pytest.mark.parametrize(
    ("question", "option", "code"),
    [("nothing", "a", "unknown_question"), ("end", "z", "unknown_option")],
)
def test_strange_answers_are_refused(question: str, option: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        _attempt().answer(question, option)
    assert refused.value.code == code


def test_a_question_is_answered_once() -> None:
    attempt = _attempt()
    attempt.apply(attempt.answer("end", "a"))
    with pytest.raises(Refused) as refused:
        attempt.hint("end")
    assert refused.value.code == "answered_already"
