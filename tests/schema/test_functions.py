"""What nodes do, read off task files: of the pack, of the tests, and of services."""

from __future__ import annotations

import pytest

from dialoom.schema import pack
from dialoom.schema.functions import Functions
from dialoom.schema.services import to_task
from dialoom.schema.yaml.reading import read_text
from tests.schema.tiny_service import SERVICES
from tests.sim.designs import BOAT, GUIDE


def changed(old: str, new: str, text: str = BOAT) -> Functions:
    assert old in text
    return Functions(read_text(text.replace(old, new, 1)))


BOOKING = Functions(read_text(BOAT))


@pytest.mark.parametrize(
    ("node", "functions"),
    [
        ("open", ("intent",)),
        ("ask_boat", ("request",)),
        ("give_boat", ()),
        ("no_extras", ("indifferent",)),
        ("offer", ("confirm",)),
        ("accept", ("affirm",)),
        ("refuse", ("negate",)),
        ("sorry", ("failure",)),  # after two results: there is none, and it was lost
        ("other_time", ()),  # it may be said to either
        ("confirm", ("success",)),
        ("goodbye", ("goodbye",)),
    ],
)
def test_a_booking(node: str, functions: tuple[str, ...]) -> None:
    assert BOOKING.of[node] == functions


def test_calls_and_results_have_none() -> None:
    assert BOOKING.of.keys().isdisjoint({"check", "free", "book", "done"})
    assert BOOKING.intents == {"open": "boat_hire"}


def test_what_is_read_out_is_told() -> None:
    functions = Functions(read_text(GUIDE))
    assert [functions.of[name] for name in ("step", "detail", "arrive")] == [("inform",)] * 3
    assert functions.of["with_guide"] == functions.of["proceed"] == ()
    assert functions.of["sorry"] == ("nothing",)


def test_a_proposal_is_a_question() -> None:
    functions = changed(" Shall I note it?", " I note it.")
    assert functions.of["offer"] == ("inform",)
    assert functions.of["accept"] == functions.of["refuse"] == ()


def test_who_is_asked_for_what_they_must_say_may_not_know_it() -> None:
    assert BOOKING.of["no_extras"] == ("indifferent",)
    text = BOAT.replace("    need: optional\n", "    need: {unless: boat}\n", 1)
    assert Functions(read_text(text)).of["no_extras"] == ()


def test_once_greeted_the_user_says_what_they_come_for() -> None:
    functions = Functions(pack.load("bank_balance"))
    assert functions.of["open"] == ()
    assert functions.of["hello"] == ("greeting",)
    assert functions.intents == {"say_wish": "bank_balance"}
    several = Functions(pack.load("bank_fraud_report"))
    assert several.intents == {"say_wish": "bank_fraud_report"}  # not the first of its two calls


def test_more_is_offered_until_it_is_refused() -> None:
    functions = Functions(pack.load("trivia"))
    assert functions.of["trivia_inform_answer_incorrect_ask_next"] == ("inform", "more")
    assert functions.of["go_on"] == ("affirm",)
    assert functions.of["stop"] == functions.of["stop_at_once"] == ("negate",)
    assert functions.of["anything_else"] == ("more",)
    plane = Functions(pack.load("plane_search"))
    assert plane.of["plane_ask_more_questions"] == ("more",)  # who wants none is asked once more
    thanked = Functions(pack.load("spaceship_life_support"))
    assert thanked.of["spaceship_inform_recovered"] == ("inform",)  # though one may leave then


def test_only_what_a_search_finds_is_offered() -> None:
    assert Functions(pack.load("hotel_search")).of["hotel_provide_search_result"] == ("offer",)
    assert Functions(pack.load("weather")).of["weather_inform_forecast"] == ("inform",)
    directions = Functions(pack.load("trip_directions"))
    assert directions.of["trip_inform_simple_step_ask_proceed"] == ("inform",)


def test_nearly_all_replies_of_the_pack_do_something_known() -> None:
    silent = {
        (name, node.name)
        for name in pack.names()
        for task in (pack.load(name),)
        for node in task.flow.nodes.values()
        if node.kind == "system" and not Functions(task).of[node.name]
        if not (node.not_understood or node.hands_over)
    }
    assert silent == {
        ("apartment_search", "apartment_inform_search_criteria"),
        ("meeting_schedule", "meeting_call_off"),
        ("ride_book", "ride_call_off"),
        ("ride_change", "ride_keep"),
        ("trip_directions", "trip_instructions_done"),
    }


def test_services_whose_flow_was_derived() -> None:
    cafes = Functions(to_task(SERVICES["Cafes_1"]))
    kinds = {functions for functions in cafes.of.values() if functions}
    assert {("request",), ("offer",), ("confirm",), ("success",), ("goodbye",)} <= kinds
    assert set(cafes.intents.values()) == {"FindCafe", "ReserveTable"}


def test_a_task_without_a_flow_has_none() -> None:
    assert Functions(SERVICES["Cafes_1"]).of == {}
