"""Statements of known values about another slot or row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from dialoom.flow.program import program_of
from dialoom.reading.contradictions import KnownFacts, ReturnedRow, contradicted
from dialoom.reading.turn import turn_reader
from dialoom.schema import pack

HOTEL = KnownFacts({"arrival": ["2021-05-04"], "departure": ["2021-05-19"]})
BANK = KnownFacts({"source": ["savings"], "target": ["everyday"]})


def wrong(name: str, text: str, facts: KnownFacts) -> bool:
    """Return True if a text contradicts the facts of a task."""
    task = pack.load(name)
    return contradicted(task, text, turn_reader(task, "system").read(text), facts)


def rows(name: str, call: str, items: Sequence[dict[str, Any]]) -> KnownFacts:
    """Return the facts of a result."""
    columns = program_of(pack.load(name)).columns[call]
    return KnownFacts(rows=[ReturnedRow(item, columns) for item in items])


@pytest.mark.parametrize(
    "text",
    [
        "Booked: arriving May 19, leaving May 4.",
        "You depart on 4 May and arrive on 19 May.",
    ],
)
def test_exchanged_values_are_wrong(text: str) -> None:
    assert wrong("hotel_book", text, HOTEL)


@pytest.mark.parametrize(
    "text",
    [
        "Booked: arriving May 4, leaving May 19.",
        "Your stay: May 4 (arrival) to May 19 (departure).",
        "May 4 arrival, May 19 departure.",
        "You leave on May 19, having arrived on May 4.",
        "After your arrival the room is yours until May 19, from May 4 on.",
    ],
)
def test_right_values_in_any_order_are_not_wrong(text: str) -> None:
    assert not wrong("hotel_book", text, HOTEL)


def test_words_of_direction_give_a_value_its_slot() -> None:
    assert wrong("bank_transfer", "Done, the money went from everyday to savings.", BANK)
    assert not wrong("bank_transfer", "Done, the money went to everyday from savings.", BANK)
    assert not wrong("bank_transfer", "Done, I switched to savings.", BANK)


TRAINS = rows(
    "train_journey",
    "train_search",
    [{"Number": 301, "Leaves": "08:00"}, {"Number": 302, "Leaves": "10:00"}],
)


def test_a_measure_of_another_row_is_wrong() -> None:
    assert wrong("train_journey", "Train 301 leaves at 10:00.", TRAINS)
    assert not wrong("train_journey", "Train 301 leaves at 8:00.", TRAINS)
    assert not wrong("train_journey", "Train 301 leaves at 8:00, train 302 at 10:00.", TRAINS)
    assert not wrong("train_journey", "Train 301 leaves before 10:00.", TRAINS)


FLAT = "I found Willowgate with 3 bedrooms for 900 dollars."


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("It has a balcony.", True),
        ("It has no balcony.", False),
        ("Balcony: yes", True),
        ("Balcony: no", False),
        ("It has neither a balcony nor a terrace.", None),
        ("Tell me if you need a balcony.", None),
        ("Do you want a balcony?", None),
    ],
)
def test_a_clause_on_a_truth_value_alone_is_compared(text: str, truth: bool | None) -> None:
    item = {"Name": "Willowgate", "NumRooms": 3, "Price": 900}
    for value in (True, False):
        facts = rows("apartment_search", "apartment_search", [{**item, "HasBalcony": value}])
        assert wrong("apartment_search", f"{FLAT} {text}", facts) is (
            truth is not None and truth != value
        )
