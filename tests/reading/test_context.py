"""Reports of returned values, read by their conditions in the flow."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Constraint, Event, Query, Result
from dialoom.reading.dialogue import DialogueReading
from dialoom.schema import pack
from tests.make import utterance


def _status(wait: str) -> str | None:
    """Return the reading of a line that names a status, after a result with a wait."""
    row = {"RideStatus": "waiting at the kerb", "RideWait": wait}
    constraints = Constraint("id", "equal", (7,)), Constraint("CustomerName", "equal", ("Ben",))
    events: tuple[Event, ...] = (
        utterance(USER, "Where is my ride?", "open"),
        Query(id="q1", api="ride_status", constraints=constraints),
        Result(query="q1", items=(row,), total=1),
        utterance(SYSTEM, f"Your car is waiting at the kerb, {wait}."),
    )
    reading = DialogueReading(pack.load("ride_status"))
    for event in events:
        reading.observe(event)
    return reading.turn.action


def test_the_conditions_of_a_result_decide_what_is_reported() -> None:
    assert _status("six minutes") == "ride_provide_booking_status"
    assert _status("two minutes") == "ride_inform_arrived"
