"""Replies that state a returned value or an element of a returned list."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result
from dialoom.flow.program import program_of
from dialoom.reading.awaited import list_reading, stated_report
from dialoom.reading.dialogue import DialogueReading
from dialoom.schema import pack
from tests.make import utterance

RIDE = program_of(pack.load("ride_status"))
TRIP = program_of(pack.load("trip_directions"))
LED = ["ride_provide_booking_status", "ride_inform_arrived"]
STEP, LAST = "trip_inform_simple_step_ask_proceed", "trip_inform_last_step_and_done"
WAY = ("Go along the canal", "Cross the iron bridge", "Ring at the blue door")


def test_a_returned_value_shows_which_reply_reports_it() -> None:
    returned = {"RideStatus": "on its way", "RideWait": "four minutes"}
    assert stated_report(RIDE, "4 minutes to go.", returned, LED) == LED[0]
    assert stated_report(RIDE, "Nearly there.", returned, LED) is None


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("First, go along the canal.", STEP),
        ("Cross the iron bridge. Are you there?", STEP),
        ("Now ring at the blue door.", LAST),
        ("Turn round.", None),
    ],
)
def test_the_place_in_a_list_decides_which_reply_reads_it_out(text: str, reply: str | None) -> None:
    reading = list_reading(TRIP, text, {"Instructions": WAY})
    assert (None if reading is None else reading.reply) == reply


def test_an_element_that_is_part_of_a_longer_one_is_not_named_by_it() -> None:
    reading = list_reading(TRIP, "Go along the canal.", {"Instructions": (WAY[0], "Go along")})
    assert reading is not None
    assert reading.reply == STEP


def test_a_last_element_that_occurs_earlier_shows_no_place() -> None:
    assert list_reading(TRIP, "Go on.", {"Instructions": ("Go on", "Turn left", "Go on")}) is None


@pytest.mark.parametrize(
    "tail", ["", " Alright?", " Have you found it?", " Say when you are there."]
)
def test_a_step_is_not_the_last_one_whatever_follows_it(tail: str) -> None:
    constraints = (Constraint("DepartureLocation", "equal", ("the ice rink",)),)
    events: tuple[Event, ...] = (
        utterance(SYSTEM, "Hello, where do you want to go?"),
        utterance(USER, "From the ice rink to Gull Beach.", "open"),
        Query(id="q1", api="trip_directions", constraints=constraints),
        Result(query="q1", items=({"Instructions": WAY},), total=1),
    )
    reading = DialogueReading(TRIP.schema)
    for event in events:
        reading.observe(event)
    assert reading.read(utterance(SYSTEM, f"{WAY[1]}.{tail}")).action != LAST
    assert reading.read(utterance(SYSTEM, f"{WAY[2]}.{tail}")).action != STEP
