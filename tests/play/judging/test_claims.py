"""Untrue claims: what counts as stating a failure, and what does not."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result
from dialoom.flow.program import program_of
from dialoom.play.judging.claims import misstated
from dialoom.play.judging.heard import heard_events
from dialoom.schema import pack
from tests.make import utterance

PLANE = program_of(pack.load("plane_book"))


def untrue(text: str) -> bool:
    """Return True if a text is untrue after a booking that succeeded."""
    booking: dict[str, str | int] = {"id": 210, "CustomerName": "Ingrid", "RequestType": "Book"}
    constraints = tuple(Constraint(name, "equal", (value,)) for name, value in booking.items())
    events: tuple[Event, ...] = (
        utterance(USER, "Flight 210 for Ingrid, please."),
        Query(id="q1", api="plane_book", constraints=constraints),
        Result(query="q1", items=({**booking, "ReservationStatus": "Reserved"},), total=1),
        utterance(SYSTEM, text),
    )
    return bool(misstated(PLANE, heard_events(PLANE, events)))


@pytest.mark.parametrize(
    "text",
    [
        "Sorry for the delay. Your seat on flight 210 is reserved, Ingrid.",
        "My apologies for the pause! You are booked on flight 210.",
        "Sorry to keep you waiting.",
        "Your seat on flight 210 is reserved, Ingrid. (Step 5 of 5)",
    ],
)
def test_a_courtesy_around_a_success_is_not_untrue(text: str) -> None:
    assert not untrue(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, I could not book it.",
        "I'm afraid the reservation did not go through. Anything else?",
        "Your seat on flight 314 is reserved, Ingrid.",
    ],
)
def test_a_success_as_a_failure_and_a_wrong_value_are_untrue(text: str) -> None:
    assert untrue(text)
