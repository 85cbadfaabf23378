"""What is counted in a dialogue that is over."""

from __future__ import annotations

from dialoom.collect.kinds.room.messages import Accomplish, Say, SwitchTask
from dialoom.collect.kinds.room.tally import tally
from dialoom.collect.log.record import Tally
from tests.collect.rooms import Played, scenario


def test_replies_actions_and_answer_times_are_counted() -> None:
    played = Played(scenario("restaurant_book", "trip_directions"), guard="off")
    played.user("I want a table.")
    played.send("wizard", SwitchTask("restaurant_book"))
    played.wizard("what name?", "ask_name")
    played.send("user", Say("Ann"), seconds=9)
    played.send("wizard", Say("Good evening."), seconds=3)
    found = tally(played.room.log)
    assert found.actions == ("ask_name",)
    assert (found.replies, found.custom) == (2, 1)
    assert found.topics == ("restaurant_book",)
    assert found.gaps["user"] == (9000,)
    assert found.gaps["wizard"][-1] == 3000


def test_a_room_ends_with_its_tally() -> None:
    played = Played()
    played.user("Hi.")
    played.send("wizard", Say("Hello."))
    played.send("user", Accomplish())
    assert played.room.close("Complete").tally == tally(played.records)
    assert tally([]) == Tally(gaps={"user": (), "wizard": ()})


def test_the_server_s_absence_is_no_answering_time() -> None:
    played = Played()
    played.user("Hi.")
    played.send("wizard", Say("Hello."), seconds=8 * 3600)
    played.send("user", Say("A table."), seconds=7)
    counted = played.room.close("Complete").tally
    assert counted is not None and counted.gaps == {"user": (7000,), "wizard": (0,)}
