"""Values that rules read for a service, and words that are denied, as evidence of the tracker."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.models.tracker.read_values import ReadValues
from dialoom.models.tracker.turns import turns
from dialoom.reading.questions import ASKED
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


def read(*texts: str) -> ReadValues:
    """Return what is read of texts, the user's first, then by turns."""
    events = [
        Utterance(agent=SYSTEM if number % 2 else USER, text=text)
        for number, text in enumerate(texts)
    ]
    found = ReadValues(SERVICE)
    for turn in turns(events):
        found.add(turn)
    return found


def test_a_value_agrees_with_the_one_read_and_disagrees_with_others() -> None:
    reading = read("I need an inn.", "How many rooms do you need?", "Two, please.")
    asked, others, _ = reading.of_slot("rooms")
    assert asked > ASKED > others
    assert reading.agreement("rooms", "2") == [1.0, 1.0]
    assert reading.agreement("rooms", "1") == [-1.0, -1.0]
    assert reading.agreement("arrival_date", "march 3rd") == [0.0, 0.0]


def test_a_value_of_an_earlier_turn_is_not_fresh() -> None:
    reading = read("An inn with two rooms.", "What is the date of arrival?", "March 3rd.")
    assert reading.of_slot("arrival_date")[0] > ASKED
    assert reading.agreement("rooms", "2") == [0.0, 1.0]


def test_words_after_a_negation_are_denied_up_to_the_next_mark() -> None:
    (turn,) = turns([Utterance(agent=USER, text="No pets, but I'd like it without garden please")])
    assert {"pet", "garden"} <= turn.user.denied
    assert "like" not in turn.user.denied
    (other,) = turns([Utterance(agent=USER, text="I don't need pets. With a garden.")])
    assert "pet" in other.user.denied
    assert "garden" not in other.user.denied
