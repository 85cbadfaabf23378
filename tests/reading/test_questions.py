"""Questions for the slots of a task without a flow."""

from __future__ import annotations

from dialoom.reading.questions import ASKED, asked_slots, named_slots
from tests.models.test_tracker_reading import SERVICE


def test_questions_are_read_without_a_flow() -> None:
    assert asked_slots(SERVICE, "How many rooms do you need?")["rooms"] > ASKED
    both = asked_slots(SERVICE, "What is the date of your arrival, and how many rooms?")
    assert min(both["rooms"], both["arrival_date"]) > ASKED


def test_statements_ask_for_nothing() -> None:
    stated = asked_slots(SERVICE, "The inn is booked. Its address is 4 Mill Lane.")
    assert max(stated.values(), default=0.0) < ASKED


def test_a_text_is_about_the_slot_that_it_names() -> None:
    chances = named_slots(SERVICE, "I arrive on that date.")
    assert max(chances, key=lambda slot: chances[slot]) == "arrival_date"
