"""Harmless sentences around what a turn says."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER
from dialoom.reading.awaited import without_asides
from dialoom.reading.dialogue import DialogueReading
from dialoom.reading.spoken import SpokenAct, SpokenTurn
from dialoom.reading.turn import turn_reader
from dialoom.schema import pack
from tests.make import utterance

QUESTION = SpokenAct("Which flight?", "request", "ask_flight", ("flight",), 0.99)
FAILED = SpokenAct("It did not work.", "failure", "say_failed", (), 0.9)


def after(first: SpokenAct, text: str, function: str, certainty: float = 0.98) -> SpokenTurn:
    """Return a turn of two acts without asides, where the flow leads to the first one."""
    second = SpokenAct(text, function, "other", (), certainty)
    expected = {first.action or "": 2.0}
    return without_asides(SpokenTurn((first, second)), expected, (), lambda _: False)


@pytest.mark.parametrize("function", ["more", "goodbye", "not_understood", "hand_over"])
def test_an_expected_question_comes_before_a_later_aside(function: str) -> None:
    turn = after(QUESTION, "Does this suit you?", function)
    assert turn.main == QUESTION
    assert turn.acts[1].function == "small_talk"


def test_a_hand_over_after_a_failure_is_no_aside() -> None:
    assert after(FAILED, "A colleague takes over now.", "hand_over").acts[1].action == "other"


@pytest.mark.parametrize("function", ["more", "goodbye"])
def test_an_end_after_a_statement_is_no_aside(function: str) -> None:
    stated = SpokenAct("It is 3 degrees.", "inform", "say_degrees", (), 0.99)
    assert after(stated, "Any other question?", function).acts[1].action == "other"


def test_a_doubtful_statement_does_not_hide_an_expected_question() -> None:
    assert after(QUESTION, "All is as it should be.", "success", 0.5).main == QUESTION
    assert after(QUESTION, "Seat 4 is booked.", "success", 0.9).action == "other"


def test_a_turn_without_an_expected_act_stays_as_it_is() -> None:
    turn = SpokenTurn((QUESTION, FAILED))
    assert without_asides(turn, {}, ("flight",), lambda _: False) is turn


@pytest.mark.parametrize(
    "tail",
    ["Is this alright?", "Does it make sense to you?", "Press 0 for a person.", "Glad to help!"],
)
def test_a_sentence_after_a_question_does_not_change_it(tail: str) -> None:
    reading = DialogueReading(pack.load("plane_book"))
    reading.observe(utterance(SYSTEM, "Hello, what can I do for you?"))
    reading.observe(utterance(USER, "A flight, please.", "open"))
    turn = reading.read(utterance(SYSTEM, f"What is the number of your flight? {tail}"))
    assert turn.action == "plane_ask_flight_id"


@pytest.mark.parametrize("task", ["plane_book", "restaurant_book", "hotel_book"])
@pytest.mark.parametrize("text", ["Sorry for the delay.", "Apologies for the long pause!"])
def test_a_bare_apology_reports_no_failure(task: str, text: str) -> None:
    reader = turn_reader(pack.load(task), "system")
    assert reader.read(f"{text} Your reservation is confirmed.").function == "success"


@pytest.mark.parametrize("text", ["Sorry, that could not be booked.", "Apologies, it went wrong."])
def test_an_apology_with_a_failure_reports_it(text: str) -> None:
    reader = turn_reader(pack.load("restaurant_book"), "system")
    assert reader.read(f"{text} Is there something else?").function == "failure"


def test_a_line_of_the_task_is_read_behind_a_courtesy() -> None:
    task = pack.load("plane_search")
    line = "I may narrow it down by airline, class, fare and flying time. Shall I?"
    reader = turn_reader(task, "system")
    assert reader.read(f"Sure! {line}").action == reader.read(line).action


def test_a_word_of_failure_is_more_than_an_apology() -> None:
    act = SpokenAct("Sorry, I couldn't get that table?", "failure", "say_failed", (), 0.8)
    assert turn_reader(pack.load("restaurant_book"), "system").excused(act) == act
