"""Turns read in the light of what came before."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result
from dialoom.reading.dialogue import DialogueReading
from dialoom.schema import pack
from tests.make import utterance


def read(*events: Event) -> DialogueReading:
    reading = DialogueReading(pack.load("restaurant_book"))
    for event in events:
        reading.observe(event)
    return reading


def checked(status: str) -> tuple[Event, Event]:
    name, request = ("Name", "Moss and Ember"), ("RequestType", "Check")
    terms = tuple(Constraint(slot, "equal", (value,)) for slot, value in (name, request))
    items = ({"Name": "Moss and Ember", "ReservationStatus": status},)
    return Query(id="q1", api="restaurant_book", constraints=terms), Result(query="q1", items=items)


def test_a_label_counts_before_words() -> None:
    reading = read(utterance(SYSTEM, "Where do you want to eat?", "restaurant_ask_time"))
    assert reading.turn.action == "restaurant_ask_time"


def test_a_label_of_another_task_is_no_line_of_this_one() -> None:
    reading = read(utterance(SYSTEM, "Where do you want to eat?", "weather_ask_day"))
    assert reading.turn.action is None
    assert not reading.unread


def test_the_result_tells_an_offer_from_a_success() -> None:
    text = "There is a table at Moss and Ember at 7 pm."
    free = read(
        utterance(USER, "A table, please.", "open"), *checked("Available"), utterance(SYSTEM, text)
    )
    assert free.turn.action != "restaurant_inform_booking_successful"


def test_what_cannot_be_read_is_kept() -> None:
    text = "Colourless green ideas sleep furiously."
    assert read(utterance(SYSTEM, "Hello!"), utterance(SYSTEM, text)).unread == [text]


def test_a_doubtful_question_that_comes_again_is_read_otherwise() -> None:
    text, reading = (
        "ok and when are you heading home again?",
        DialogueReading(pack.load("hotel_book")),
    )
    reading.observe(utterance(SYSTEM, text))
    first = reading.turn
    assert first.certainty < 0.9
    reading.observe(utterance(USER, "On 6 May."))
    reading.observe(utterance(SYSTEM, text))
    assert reading.turn.action != first.action
