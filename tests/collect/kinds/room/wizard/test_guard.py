from __future__ import annotations

import pytest

from dialoom.collect.kinds.room.messages import SwitchTask
from dialoom.collect.kinds.room.wizard.guard import Guard
from dialoom.quality.legality import SchemaRules
from dialoom.schema import pack
from tests.collect.rooms import TABLE, Played, booked, scenario
from tests.found import some

BOOK = Guard(pack.load("restaurant_book"))
TRIP = Guard(pack.load("trip_directions"))


def test_the_flow_begins_with_its_first_action() -> None:
    assert BOOK.expected(None) == ("hello",)
    assert BOOK.permits("hello", None)
    assert not BOOK.permits("ask_name", None)
    assert not BOOK.permits("goodbye_1", None)


def test_questions_may_be_left_out_but_not_what_a_result_decides() -> None:
    at = "hello"
    assert BOOK.expected(at) == ("ask_name",)
    for action in ("ask_name", "restaurant_ask_time", "query_check"):
        assert BOOK.permits(action, at)
    for action in ("restaurant_ask_confirm_booking", "query_book", "anything_else"):
        assert not BOOK.permits(action, at)


def test_questions_whose_answers_are_known_are_passed_over() -> None:
    known = {"name": "Ada Quill", "restaurant": "Juniper"}
    assert BOOK.expected("hello", known) == ("restaurant_ask_time",)
    assert BOOK.expected("hello", known | {"time": "19:30", "guests": 4}) == ("query_check",)


def test_questions_that_do_not_apply_are_passed_over() -> None:
    at, ask = "trip_ask_arrival_location", "trip_ask_departure_time"
    assert TRIP.expected(at, {"travel_mode": "transit"}) == (ask,)
    for known in ({"travel_mode": "driving"}, {}):  # not known yet: asking is permitted
        assert TRIP.expected(at, known) == ("query",)
        assert TRIP.permits(ask, at)


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("available", ("restaurant_ask_confirm_booking",)),
        ("unavailable", ("restaurant_inform_unavailable",)),
        (
            None,
            (
                "restaurant_ask_confirm_booking",
                "restaurant_inform_unavailable",
                "restaurant_inform_too_many",
            ),
        ),
    ],
)
def test_a_result_decides_which_way_leads_on(
    outcome: str | None, expected: tuple[str, ...]
) -> None:
    assert BOOK.expected("query_check", {}, outcome) == expected
    for action in ("restaurant_ask_confirm_booking", "restaurant_inform_unavailable"):
        assert BOOK.permits(action, "query_check", (), outcome) == (action in expected)


def test_the_user_may_have_taken_any_way() -> None:
    assert BOOK.expected("restaurant_ask_confirm_booking") == (
        "query_book",
        "restaurant_ask_time",
        "restaurant_ask_restaurant",
    )


def test_questions_and_the_last_action_may_be_said_again() -> None:
    done = ("hello", "ask_name", "query_check")
    assert BOOK.permits("ask_name", "query_check", done, "available")
    assert not BOOK.permits("restaurant_ask_time", "query_check", done, "available")
    assert BOOK.permits("query_check", "query_check", done, "available")


def test_at_the_end_and_without_a_flow_everything_goes() -> None:
    assert BOOK.expected("goodbye_1") == ()
    assert BOOK.permits("anything_else", "goodbye_1")
    bare = Guard(pack.load("weather"))
    assert bare.permits("custom", None)
    assert bare.permits("out_of_scope", None)


@pytest.mark.parametrize("name", pack.names())
def test_what_is_permitted_is_legal(name: str) -> None:
    """What the guard lets through is no violation for schema/legality either, but for repeats."""
    task = pack.load(name)
    guard, law = Guard(task), SchemaRules(task)
    for at, before in some(guard.labels.items()):
        for node in guard.expected(at):
            assert guard.permits(guard.labels[node], at)
        for action in set(guard.labels.values()):
            if guard.permits(action, at) and guard.expected(at):
                assert action == before or law.follows(before, action, ()), (before, action)


@pytest.mark.parametrize("name", pack.names())
def test_every_action_can_be_got_to(name: str) -> None:
    guard = Guard(pack.load(name))
    conditions = [node.when for node in guard.task.flow.nodes.values()]
    known = {each.name: each.values[0] for when in conditions for each in when}
    seen: set[str] = set()
    flow = guard.task.flow
    beside = [name for node in flow.anytime for name in flow.after[node.name]]
    waiting = [*guard.expected(None), *beside, *(node.name for node in flow.apologies)]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting += (*guard.expected(node), *guard.expected(node, known))
    assert seen == set(guard.labels)


# --- in a room -----------------------------------------------------------------------------------


def expected(played: Played, task: str) -> list[str]:
    return [each["id"] for each in played.room.expected(task)]


def shown(played: Played) -> dict[str, str]:
    return {each["id"]: each["text"] for each in played.room.expected("restaurant_book")}


def test_a_wizard_sees_where_they_stand_and_what_comes_next() -> None:
    played = Played()
    played.user("A table for us at the Juniper, please.")
    assert expected(played, "restaurant_book") == ["hello"]
    played.wizard("hello", "hello")
    [place] = played.view("wizard")["flow"].values()
    assert (place["node"], [each["id"] for each in place["expected"]]) == ("hello", ["ask_name"])
    played.user("My name is Ada Quill.")
    played.wizard("for whom", "ask_name")
    assert expected(played, "restaurant_book") == ["restaurant_ask_time"]
    played.user("Ada Quill.")
    played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    [place] = played.view("wizard")["flow"].values()
    assert place["node"] == "query_check"
    [shown] = place["expected"]
    assert shown["id"] == "restaurant_ask_confirm_booking"
    assert shown["text"] == "Juniper can seat 4 at 7:30 pm. Do you want the table?"


def test_what_comes_next_is_shown_as_it_would_be_said() -> None:
    """From the item and from what the user said, as suggestions are; never as a template."""
    played = booked()
    played.user("And one more thing.")
    for action, text in some(shown(played).items()):
        played.wizard(text, action, "as it came")
        assert played.room.events.since("wizard")[-1]["text"] == text
        played.user("Well.")


def test_what_nobody_has_said_is_named_readably() -> None:
    assert BOOK.text("restaurant_ask_confirm_booking", {"Name": "Juniper"}) == (
        "Juniper can seat [guests] at [time]. Do you want the table?"
    )
    assert BOOK.text("query_check") == "Restaurant book: Check"


@pytest.mark.parametrize("name", pack.names())
def test_no_text_shows_the_language_of_templates(name: str) -> None:
    guard = Guard(pack.load(name))
    for node in some(guard.labels):
        assert not set("{}<>_") & set(guard.text(node)), node


def test_a_task_that_is_taken_up_goes_on_where_it_fits_what_is_known() -> None:
    played = Played(scenario("restaurant_book", "hotel_book"))
    played.user("A table and a room, please.")
    played.send("wizard", SwitchTask("restaurant_book"))
    played.wizard("hello", "hello")
    played.user("Well?")
    played.wizard("for whom do I write down the table", "ask_name")
    played.user("Ada Quill.")
    played.send("wizard", SwitchTask("hotel_book"))
    assert expected(played, "hotel_book") == ["hello"]
    played.wizard("hello", "hello")
    # the name was said in the other task
    assert "ask_name" not in expected(played, "hotel_book")
    played.user("First the table.")
    played.send("wizard", SwitchTask("restaurant_book"))
    assert expected(played, "restaurant_book") == ["restaurant_ask_restaurant"]
