"""What a turn states that nobody said and no call returned."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Event, Query, Result, Utterance
from dialoom.flow.program import compile_task
from dialoom.play.judging.claims import misstated
from dialoom.play.judging.heard import heard_events
from dialoom.reading.statements import names, unfounded
from dialoom.reading.turn import turn_reader
from dialoom.schema import pack
from dialoom.schema.slot import Slot

TASK = pack.load("restaurant_book")
KNOWN = ["Juniper", "19:00", 5, "Ruth Okonjo"]


def stated(text: str) -> list[str]:
    """Return the words of the unfounded values."""
    turn = turn_reader(TASK, "system").read(text)
    return [text[p[0].start : p[0].end] for p in unfounded(TASK, text, turn, KNOWN)]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Juniper can seat 5 at 7 pm. Do you want the table?", []),
        ("Juniper has a table for five at 19:00, shall I book it?", []),
        ("Juniper can seat 5 at 8 pm. Do you want the table?", ["8 pm"]),
        ("Salt Cellar can seat 5 at 7 pm. Do you want the table?", ["Salt Cellar"]),
        ("Your table at Juniper is set for 5 at 22:00.", ["22:00"]),
        ("Where do you want to eat? Salt Cellar?", []),
        ("Where do you want to eat? (Salt Cellar / Copper Pan / Halfway Inn)", []),
        ("There's a table for 25 waiting at Juniper. Should I keep it?", ["25"]),
        ("Juniper: maximum 4 people. Fewer possible?", []),
        ("Your table at Juniper is set for 5 at 8:15, anything else?", ["8:15"]),
        ("Your table at Juniper is set for 5. Goodbye until 8 pm!", ["8 pm"]),
        ("Juniper has a table for 5 at 7 pm. The cloakroom shuts at 11 pm.", []),
        ("Juniper has a table for 5 at 7 pm. I'm here from 8 am to 8 pm.", []),
        ("Juniper has a table for 5 at 7 pm. This is Nora Quist.", []),
        ("Is it 7 pm, 8 pm or 9 pm at Juniper?", []),
        ("Juniper, table for 5 7 pm today", []),
    ],
)
def test_values_that_nobody_gave_are_unfounded(text: str, wrong: list[str]) -> None:
    assert stated(text) == wrong


def test_a_number_that_was_returned_grounds_a_category_of_its_digits() -> None:
    slots = {name: slot for name, slot in TASK.slots.items() if slot.type != "integer"}
    slots["stars"] = Slot(name="stars", type="category", values={"4": (), "5": ()})
    task, text = replace(TASK, slots=slots), "Juniper can seat you at 7 pm, stars 5."
    turn = turn_reader(TASK, "system").read("Juniper can seat 5 at 7 pm.")
    assert not list(unfounded(task, text, turn, KNOWN))
    assert list(unfounded(task, text.replace("5", "4"), turn, KNOWN))


def test_times_beyond_the_range_of_a_slot_are_unfounded() -> None:
    assert stated("Juniper can seat 5 at 3 am. Do you want the table?") == ["3 am"]


@pytest.mark.parametrize(
    ("status", "text", "untrue"),
    [
        ("Reservation Confirmed", "Sorry, the booking failed.", True),
        ("Reservation Failed", "Sorry, the booking failed.", False),
        ("Reservation Confirmed", "Sorry, I did not understand that.", False),
        ("Reservation Confirmed", "You are booked at Juniper.", False),
    ],
)
def test_a_failure_of_what_succeeded_is_untrue(status: str, text: str, untrue: bool) -> None:
    call = next(iter(TASK.calls.values()))
    row = {"Name": "Juniper", "ReservationStatus": status}
    query = Query(id="q1", api=call.name, constraints=())
    events: list[Event] = [
        query,
        Result(query="q1", items=(row,)),
        Utterance(agent=SYSTEM, text=text),
    ]
    program = compile_task(TASK)
    assert bool(misstated(program, heard_events(program, events))) is untrue


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("It is 16C.", 16),
        ("Your balance is $13,972.00.", 13972),
        ("Renewed three times.", 3),
        ("About 6 minutes.", "six minutes"),
    ],
)
def test_a_returned_value_is_named_in_digits_words_or_with_a_unit(text: str, value: object) -> None:
    assert names(text, None, value, "en")
    assert not names("Nothing of it.", None, value, "en")


@pytest.mark.parametrize(("text", "truth"), [("Status no.", False), ("Status yes.", True)])
def test_a_returned_truth_value_of_no_slot_is_a_yes_or_a_no(text: str, truth: bool) -> None:
    assert names(text, None, truth, "en")
    assert not names(text, None, not truth, "en")


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("It has a balcony but no lift.", True),
        ("It comes without a balcony.", False),
        ("There isn't any balcony.", False),
    ],
)
def test_a_truth_value_is_named_by_the_noun_of_its_slot(text: str, truth: bool) -> None:
    balcony = pack.load("apartment_search").slots["balcony"]
    assert names(text, balcony, truth, "en")
    assert not names("It has a view of the sea.", balcony, truth, "en")
