from __future__ import annotations

from dialoom.collect.kinds.room.messages import SwitchTask
from dialoom.collect.kinds.room.wizard.known import named_slots
from dialoom.schema import pack
from tests.collect.rooms import TABLE, Played, scenario


def test_placeholders_are_named_by_slots_and_columns() -> None:
    task = pack.load("restaurant_book")
    slots = named_slots(task)
    assert slots["PartySize"] is slots["guests"] is task.slots["guests"]
    assert "ReservationStatus" not in slots


def test_what_was_asked_with_is_known_and_goes_over_to_other_tasks() -> None:
    played = Played(scenario("restaurant_book", "hotel_book"))
    played.user("A table, please.")
    played.send("wizard", SwitchTask("restaurant_book"))
    played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    knowledge = played.room.known
    assert knowledge.slots("restaurant_book") == {
        "restaurant": "Juniper",
        "time": "19:30",
        "guests": 4,
        "name": "Ada Quill",
    }
    assert knowledge.values("restaurant_book")["PartySize"] == 4
    assert knowledge.slots("hotel_book") == {"name": "Ada Quill"}
