"""Questions for the slots of a task without a flow."""

from __future__ import annotations

from dialoom.reading.tracker import ASKED, asked_slots
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service

SERVICE = from_service(
    "Inns_1",
    Service(
        description="Inns",
        slots=(
            ServiceSlot(
                name="rooms", description="Rooms", categorical=True, possible_values=("1", "2")
            ),
            ServiceSlot(name="arrival_date", description="Date of the arrival"),
            ServiceSlot(name="street_address", description="Address of the inn"),
        ),
        intents=(
            ServiceIntent(
                name="BookInn",
                required=("rooms", "arrival_date"),
                results=("rooms", "arrival_date", "street_address"),
            ),
        ),
    ),
)


def test_questions_are_read_without_a_flow() -> None:
    assert asked_slots(SERVICE, "How many rooms do you need?")["rooms"] > ASKED
    both = asked_slots(SERVICE, "What is the date of your arrival, and how many rooms?")
    assert min(both["rooms"], both["arrival_date"]) > ASKED


def test_statements_ask_for_nothing() -> None:
    stated = asked_slots(SERVICE, "The inn is booked. Its address is 4 Mill Lane.")
    assert max(stated.values(), default=0.0) < ASKED
