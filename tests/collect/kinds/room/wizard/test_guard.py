from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from dialoom.collect.kinds.room.messages import SwitchTask
from dialoom.collect.kinds.room.wizard.guard import Guard, WizardPlace
from dialoom.flow.cursor import GivenValues
from dialoom.flow.program import TaskProgram, program_of
from dialoom.quality.legality import SchemaRules
from dialoom.schema import pack
from tests.collect.rooms import TABLE, Played, booked, scenario
from tests.found import some

BOOK = program_of(pack.load("restaurant_book"))
TRIP = program_of(pack.load("trip_directions"))
TEXTS = Guard(BOOK.schema)


def expected(
    program: TaskProgram,
    at: str | None,
    known: Mapping[str, Any] = {},
    outcome: str | None = None,
) -> tuple[str, ...]:
    place = place_at(program, at, outcome=outcome)
    place.known = GivenValues(program, known)
    return tuple(step.name for step in place.expected())


def permits(
    program: TaskProgram,
    action: str,
    at: str | None,
    done: tuple[str, ...] = (),
    outcome: str | None = None,
) -> bool:
    return place_at(program, at, done, outcome).permits(action)


def place_at(
    program: TaskProgram, at: str | None, done: tuple[str, ...] = (), outcome: str | None = None
) -> WizardPlace:
    place = WizardPlace(program)
    if at is not None:
        place.place_at(program.steps[at])
    place.done, place.outcome = [*done], outcome
    return place


def test_the_flow_begins_with_its_first_action() -> None:
    assert expected(BOOK, None) == ("hello",)
    assert permits(BOOK, "hello", None)
    assert not permits(BOOK, "ask_name", None)
    assert not permits(BOOK, "goodbye_1", None)


def test_questions_may_be_left_out_but_not_what_a_result_decides() -> None:
    at = "hello"
    assert expected(BOOK, at) == ("ask_name",)
    for action in ("ask_name", "restaurant_ask_time", "query_check"):
        assert permits(BOOK, action, at)
    for action in ("restaurant_ask_confirm_booking", "query_book", "anything_else"):
        assert not permits(BOOK, action, at)


def test_questions_whose_answers_are_known_are_passed_over() -> None:
    values = {"name": "Ada Quill", "restaurant": "Juniper"}
    assert expected(BOOK, "hello", values) == ("restaurant_ask_time",)
    assert expected(BOOK, "hello", values | {"time": "19:30", "guests": 4}) == ("query_check",)


def test_questions_that_do_not_apply_are_passed_over() -> None:
    at, ask = "trip_ask_arrival_location", "trip_ask_departure_time"
    assert expected(TRIP, at, {"travel_mode": "transit"}) == (ask,)
    for values in ({"travel_mode": "driving"}, {}):  # not known yet: asking is permitted
        assert expected(TRIP, at, values) == ("query",)
        assert permits(TRIP, ask, at)


@pytest.mark.parametrize(
    ("outcome", "next_actions"),
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
    outcome: str | None, next_actions: tuple[str, ...]
) -> None:
    assert expected(BOOK, "query_check", {}, outcome) == next_actions
    for action in ("restaurant_ask_confirm_booking", "restaurant_inform_unavailable"):
        assert permits(BOOK, action, "query_check", (), outcome) == (action in next_actions)


def test_the_user_may_have_taken_any_way() -> None:
    assert expected(BOOK, "restaurant_ask_confirm_booking") == (
        "query_book",
        "restaurant_ask_time",
        "restaurant_ask_restaurant",
    )


def test_questions_and_the_last_action_may_be_said_again() -> None:
    done = ("hello", "ask_name", "query_check")
    assert permits(BOOK, "ask_name", "query_check", done, "available")
    assert not permits(BOOK, "restaurant_ask_time", "query_check", done, "available")
    assert permits(BOOK, "query_check", "query_check", done, "available")


def test_at_the_end_and_without_a_flow_everything_goes() -> None:
    assert expected(BOOK, "goodbye_1") == ()
    assert permits(BOOK, "anything_else", "goodbye_1")
    bare = program_of(pack.load("weather"))
    assert permits(bare, "custom", None)
    assert permits(bare, "out_of_scope", None)


@pytest.mark.parametrize("name", pack.names())
def test_what_is_permitted_is_legal(name: str) -> None:
    """What the guard lets through is no violation for schema/legality either, but for repeats."""
    task = pack.load(name)
    program, law = program_of(task), SchemaRules(task)
    labels = {step.name: step.label for step in program.steps.values() if step.label}
    for at, before in some(labels.items()):
        for node in expected(program, at):
            assert permits(program, labels[node], at)
        for action in program.named:
            if permits(program, action, at) and expected(program, at):
                assert action == before or law.follows(before, action, ()), (before, action)


@pytest.mark.parametrize("name", pack.names())
def test_every_action_can_be_got_to(name: str) -> None:
    program = program_of(pack.load(name))
    conditions = [step.when for step in program.steps.values()]
    values = {each.name: each.values[0] for when in conditions for each in when}
    nodes: set[str] = set()
    flow = program.schema.flow
    beside = [name for node in flow.anytime for name in flow.after[node.name]]
    waiting = [*expected(program, None), *beside, *(node.name for node in flow.apologies)]
    while waiting:
        node = waiting.pop()
        if node not in nodes:
            nodes.add(node)
            waiting += (*expected(program, node), *expected(program, node, values))
    assert nodes == {step.name for step in program.steps.values() if step.label}


# --- in a room -----------------------------------------------------------------------------------


def offered(played: Played, task: str) -> list[str]:
    return [each["id"] for each in played.room.expected(task)]


def shown(played: Played) -> dict[str, str]:
    return {each["id"]: each["text"] for each in played.room.expected("restaurant_book")}


def test_a_wizard_sees_their_place_and_the_next_actions() -> None:
    played = Played()
    played.user("A table for us at the Juniper, please.")
    assert offered(played, "restaurant_book") == ["hello"]
    played.wizard("hello", "hello")
    [place] = played.view("wizard")["flow"].values()
    assert (place["node"], [each["id"] for each in place["expected"]]) == ("hello", ["ask_name"])
    played.user("My name is Ada Quill.")
    played.wizard("for whom", "ask_name")
    assert offered(played, "restaurant_book") == ["restaurant_ask_time"]
    played.user("Ada Quill.")
    played.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    [place] = played.view("wizard")["flow"].values()
    assert place["node"] == "query_check"
    [action] = place["expected"]
    assert action["id"] == "restaurant_ask_confirm_booking"
    assert action["text"] == "Juniper can seat 4 at 7:30 pm. Do you want the table?"


def test_what_comes_next_is_shown_as_it_would_be_said() -> None:
    """From the item and from what the user said, as suggestions are; never as a template."""
    played = booked()
    played.user("And one more thing.")
    for action, text in some(shown(played).items()):
        played.wizard(text, action, "as it came")
        assert played.room.events.since("wizard")[-1]["text"] == text
        played.user("Well.")


def test_what_nobody_has_said_is_named_readably() -> None:
    assert TEXTS.text("restaurant_ask_confirm_booking", {"Name": "Juniper"}) == (
        "Juniper can seat [guests] at [time]. Do you want the table?"
    )
    assert TEXTS.text("query_check") == "Restaurant book: Check"


@pytest.mark.parametrize("name", pack.names())
def test_no_text_shows_the_language_of_templates(name: str) -> None:
    guard = Guard(pack.load(name))
    for node in some([step.name for step in guard.program.steps.values() if step.label]):
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
    assert offered(played, "hotel_book") == ["hello"]
    played.wizard("hello", "hello")
    # the name was said in the other task
    assert "ask_name" not in offered(played, "hotel_book")
    played.user("First the table.")
    played.send("wizard", SwitchTask("restaurant_book"))
    assert offered(played, "restaurant_book") == ["restaurant_ask_restaurant"]
