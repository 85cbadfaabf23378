"""What calls do, and what they answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Constraint
from dialoom.dialogue.constraint import parse
from dialoom.errors import UnknownNameError, UsageError
from dialoom.kb import Answer, KnowledgeBase
from dialoom.schema.call import Call
from tests.kb.sample import CALLS, TASK, asking, filled, free
from tests.make import refuses
from tests.naughty import naughty
from tests.strategies import operators

ANY = filled()
"""A knowledge base that is asked anything."""


@pytest.fixture
def kb() -> KnowledgeBase:
    return filled()


def test_a_search_counts_the_matches_and_returns_one(kb: KnowledgeBase) -> None:
    constraints = (*asking(Area="North"), parse("Price", "api.is_at_most(15)"))
    matching = kb.rows("hotels", constraints)
    answer = kb.call("hotel_search", constraints)
    assert (answer.outcome, answer.total) == ("found", len(matching))
    assert len(answer.items) == 1
    assert answer.items[0] in matching


def test_a_search_returns_as_many_as_asked_for_and_each_once(kb: KnowledgeBase) -> None:
    constraints = asking(Area="North")
    matching = kb.rows("hotels", constraints)
    assert len(matching) > 3
    three = kb.call("hotel_search", constraints, limit=3).items
    everything = kb.call("hotel_search", constraints, limit=100).items
    assert three == everything[:3]
    assert sorted(item["Id"] for item in everything) == [row["Id"] for row in matching]


def test_the_same_question_has_the_same_answer_in_any_order(kb: KnowledgeBase) -> None:
    constraints = (*asking(Area="North"), parse("Price", "api.is_at_least(5)"))
    assert kb.call("hotel_search", constraints) == kb.call("hotel_search", constraints[::-1])
    assert kb.call("hotel_search", constraints) == filled().call("hotel_search", constraints)


def test_other_dialogues_get_other_rows(kb: KnowledgeBase) -> None:
    ids = set()
    for number in range(200):
        with kb.dialogue(str(number)):
            ids.add(kb.call("hotel_search", asking(Area="North")).items[0]["Id"])
    assert ids == {row["Id"] for row in kb.rows("hotels", asking(Area="North"))}


def test_a_search_without_a_match_returns_nothing(kb: KnowledgeBase) -> None:
    assert kb.call("hotel_search", asking(Area="West")) == Answer("nothing", (), 0)
    assert kb.call("hotel_search", asking(Price="cheap")) == Answer("nothing", (), 0)


def test_what_is_said_of_nothing_comes_with_the_inputs() -> None:
    search = msgspec.structs.replace(CALLS[0], answers={"nothing": {"Message": "None"}})
    answer = filled().call(search, asking(Area="West"))
    assert answer == Answer("nothing", ({"Area": "West", "Message": "None"},))


def test_an_input_that_is_no_column_does_not_filter(kb: KnowledgeBase) -> None:
    answer = kb.call("hotel_search", asking(Note="please"))
    assert answer.total == 40
    assert answer.items[0]["Note"] == "please"


def test_find_returns_the_row_of_the_key(kb: KnowledgeBase) -> None:
    answer = kb.call("hotel_find", asking(Id=107))
    assert answer == Answer("found", (kb.rows("hotels")[7],), 1)
    assert kb.call("hotel_find", asking(Id="107")) == answer
    assert kb.call("hotel_find", asking(Id=1)) == Answer("nothing", (), 0)


def test_find_needs_something_to_find_by(kb: KnowledgeBase) -> None:
    with refuses(UsageError, "not-given", "Id"):
        kb.call("hotel_find")


def booking(kb: KnowledgeBase, request: str, **more: Any) -> Answer:
    return kb.call("table_book", asking(RequestType=request, **more))


def test_what_was_checked_available_is_booked_and_then_taken(kb: KnowledgeBase) -> None:
    key = free(kb)
    request = {**key, "Guests": 4, "Guest": "Ada", "Note": "window"}
    checked = booking(kb, "Check", **request)
    assert checked.outcome == "available"
    booked = booking(kb, "Book", **request)
    assert booked.outcome == "done"
    # a check tells what the booking holds, drawn values included
    assert {**checked.items[0], "Message": "Confirmed"} == booked.items[0]
    assert booked.items[0].items() >= request.items()
    assert booked.items[0]["Number"] == 4
    assert 5 <= booked.items[0]["Deposit"] <= 50
    assert booking(kb, "Check", **key) == Answer("unavailable", ({**key, "Message": "Taken"},))
    assert booking(kb, "Book", **key) == Answer("failed", ({**key, "Message": "Failed"},))


def test_a_check_changes_nothing(kb: KnowledgeBase) -> None:
    before = kb.snapshot().digest
    booking(kb, "Check", **free(kb))
    kb.call("table_change", asking(RequestType="Check", **first(kb), Guests=9))
    assert kb.snapshot().digest == before


def test_without_a_request_a_booking_is_made(kb: KnowledgeBase) -> None:
    assert kb.call("table_book", asking(**free(kb))).outcome == "done"


def test_a_list_gathers_what_is_given(kb: KnowledgeBase) -> None:
    several = (Constraint("Wishes", "one_of", ("pool", "bar")), *asking(Wishes="gym"))
    answer = kb.call("table_book", (*asking(**free(kb)), *several))
    assert answer.items[0]["Wishes"] == ["pool", "bar", "gym"]
    assert kb.rows("bookings")[-1]["Wishes"] == ["pool", "bar", "gym"]


def first(kb: KnowledgeBase) -> dict[str, Any]:
    row = kb.rows("bookings")[0]
    return {"Name": row["Name"], "Time": row["Time"]}


def test_update_changes_the_row_of_the_key(kb: KnowledgeBase) -> None:
    before = kb.rows("bookings")
    with kb.dialogue(keep=True) as session:
        answer = kb.call("table_change", asking(**first(kb), Guests=9, Guest="Zoë"))
    after = kb.rows("bookings")
    assert answer.outcome == "done"
    assert after == [{**before[0], "Guests": 9, "Guest": "Zoë"}, *before[1:]]
    assert session.difference().tables["bookings"].changed == ((before[0], after[0]),)
    assert len(kb.rows("bookings", asking(Guest="ZOË"))) == 1


def test_update_fails_where_there_is_no_such_row(kb: KnowledgeBase) -> None:
    before = kb.snapshot().digest
    assert kb.call("table_change", asking(**free(kb), Guests=9)).outcome == "failed"
    checked = kb.call("table_change", asking(RequestType="Check", **free(kb)))
    assert checked.outcome == "unavailable"
    assert kb.snapshot().digest == before


def test_insert_without_a_key_always_adds_a_row(kb: KnowledgeBase) -> None:
    for number in (4, 5):
        answer = kb.call("table_note", asking(**first(kb)))
        assert (answer.outcome, answer.items[0]["Number"]) == ("done", number)
    assert len(kb.rows("bookings")) == 5


@pytest.mark.parametrize(
    ("api", "constraints", "message"),
    [
        ("hotel_serch", (), ("unknown-name", "hotel_serch", "hotel_search")),
        ("hotel_search", asking(Aera="x"), ("unknown-name", "Aera", "Area")),
        ("table_book", asking(Name="Juniper"), ("wrong-value", "table_book", "Time")),
        (
            "table_book",
            asking(RequestType="Maybe"),
            ("wrong-value", "RequestType", "Check", "Book", "Maybe"),
        ),
        ("table_book", (parse("Guests", "api.is_at_least(3)"),), ("wrong-value", "Guests")),
        ("table_book", asking(Guests="many"), ("wrong-value", "Guests", "many")),
        ("table_book", asking(Guests=2**63), ("wrong-value", "Guests", "9223372036854775808")),
        ("table_book", asking(Guests=1.5), ("wrong-value", "Guests", "1.5")),
        ("table_book", asking(Guest="\ud800"), ("wrong-value", "Guest")),
        ("table_book", asking(Wishes=float("nan")), ("wrong-value", "Wishes", "nan")),
    ],
)
def test_calls_that_cannot_be_made(api: str, constraints: Any, message: tuple[str, ...]) -> None:
    with refuses(UsageError, *message) as caught:
        filled().call(api, constraints)
    assert "\n" not in str(caught.value)


def test_a_call_on_a_table_that_the_knowledge_base_has_not(kb: KnowledgeBase) -> None:
    call = msgspec.structs.replace(CALLS[1], table="motels")
    with refuses(UnknownNameError, "unknown-name", "motels", "hotels"):
        kb.call(call, asking(Id=1))


HOSTILE = ("'; DROP TABLE bookings; --", '"', "a\0b", "%", "🏨\u202e", "x" * 100_000)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_only_values(kb: KnowledgeBase, text: str) -> None:
    key = free(kb)
    assert kb.call("table_book", asking(**key, Guest=text, Note=text)).outcome == "done"
    assert kb.rows("bookings", asking(Guest=text))[0]["Guest"] == text
    assert kb.call("hotel_search", asking(Area=text, Note=text)).outcome == "nothing"
    assert len(kb.rows("hotels")) == TASK.tables["hotels"].rows


@given(st.sampled_from(CALLS), st.data())
def test_a_call_with_any_values_is_answered_or_refused(call: Call, data: st.DataObject) -> None:
    value = naughty() | st.integers() | st.just(10**400) | st.floats() | st.booleans() | st.none()
    constraints = [
        Constraint(column.name, data.draw(operators), (data.draw(value),)) for column in call.inputs
    ]
    with suppress(UsageError, UnknownNameError):
        assert msgspec.json.encode(ANY.call(call.name, constraints).items)
