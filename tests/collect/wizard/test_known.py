from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.collect.message import Turn
from dialoom.collect.wizard.known import Listener, named_slots
from dialoom.schema import pack
from tests.collect.rooms import TABLE, Played, scenario

BOOK = Listener(pack.load("restaurant_book"))


@pytest.mark.parametrize(
    ("said", "asked", "heard"),
    [
        ("A table at the Juniper at 7:30 pm.", None, {"restaurant": "Juniper", "time": "19:30"}),
        ("COPPER PAN BISTRO!", None, {"restaurant": "Copper Pan"}),
        ("We are 4.", None, {}),
        ("We are 4.", "restaurant_ask_size", {"guests": 4}),
        ("There will be four of us.", "restaurant_ask_size", {"guests": 4}),
        ("Ada Quill", None, {}),
        ("Ada Quill.", "ask_name", {"name": "Ada Quill"}),
        ("My name is Ada Quill!", "ask_name", {"name": "Ada Quill"}),
        ("Write Ada Quill.", "ask_name", {"name": "Ada Quill"}),
        ("I would rather not tell you that before I know the price", "ask_name", {}),
        ("hello", "anything_else", {}),
    ],
)
def test_values_are_heard_where_they_are_sure(
    said: str, asked: str | None, heard: dict[str, object]
) -> None:
    assert BOOK.hear(said, asked) == heard


def test_a_value_that_several_slots_may_have_is_that_of_the_one_asked_for() -> None:
    task = pack.load("meeting_schedule")
    start, nodes = task.slots["start"], task.flow.nodes
    slots = task.slots | {"end": replace(start, name="end")}
    task = replace(task, slots=slots)
    hour = str(start.minimum)
    ask = next(name for name, node in nodes.items() if node.asks == ("start",))
    meeting = Listener(task)
    assert meeting.hear(f"At {hour}, please.", None) == {}
    assert meeting.hear(f"At {hour}, please.", ask) == {"start": hour}


def test_placeholders_are_named_by_slots_and_columns() -> None:
    task = pack.load("restaurant_book")
    named = named_slots(task)
    assert named["PartySize"] is named["guests"] is task.slots["guests"]
    assert "ReservationStatus" not in named


def test_what_was_asked_with_is_known_and_goes_over_to_other_tasks() -> None:
    played = Played(scenario("restaurant_book", "hotel_book"))
    played.user("A table, please.")
    played.send("wizard", Turn("restaurant_book"))
    played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    known = played.room.known
    assert known.slots("restaurant_book") == {
        "restaurant": "Juniper",
        "time": "19:30",
        "guests": 4,
        "name": "Ada Quill",
    }
    assert known.values("restaurant_book")["PartySize"] == 4
    own, other = (pack.load(task) for task in ("hotel_book", "restaurant_book"))
    assert own is not None
    assert other is not None
    same = own.slots["name"] == other.slots["name"]
    assert ("name" in known.slots("hotel_book")) == same
