"""Sentences that are read by their place: awaited questions, and reports of returned values."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result
from dialoom.flow.program import program_of
from dialoom.reading.dialogue import DialogueReading, awaited
from dialoom.schema import pack
from tests.make import utterance


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Which volume?", True),
        ("And the volume is…?", True),
        ("What is the colour of your grandmother's bicycle?", False),
    ],
)
def test_a_short_question_is_the_one_that_the_flow_awaits(text: str, read: bool) -> None:
    library = program_of(pack.load("library_loan"))
    reply = awaited(library, text, ["ask_book", "say_no_loan"])
    assert (reply is not None and reply.action == "ask_book") is read


def test_nothing_is_awaited_where_the_flow_leads_to_several_questions() -> None:
    library = program_of(pack.load("library_loan"))
    assert awaited(library, "Which volume?", ["ask_book", "ask_payment"]) is None


def _status(wait: str) -> str | None:
    """Return the reading of a line that names a status, after a result with a wait."""
    found = {"RideStatus": "waiting at the kerb", "RideWait": wait}
    asked = Constraint("id", "equal", (7,)), Constraint("CustomerName", "equal", ("Ben",))
    events: tuple[Event, ...] = (
        utterance(USER, "Where is my ride?", "open"),
        Query(id="q1", api="ride_status", constraints=asked),
        Result(query="q1", items=(found,), total=1),
        utterance(SYSTEM, f"Your car is waiting at the kerb, {wait}."),
    )
    reading = DialogueReading(pack.load("ride_status"))
    for event in events:
        reading.observe(event)
    return reading.turn.action


def test_the_conditions_of_a_result_decide_what_is_reported() -> None:
    assert _status("six minutes") == "ride_provide_booking_status"
    assert _status("two minutes") == "ride_inform_arrived"
