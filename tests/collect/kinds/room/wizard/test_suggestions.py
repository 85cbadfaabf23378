from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.collect.kinds.room.wizard.filling import READ
from dialoom.collect.kinds.room.wizard.suggestions import Suggester
from dialoom.dialogue import Candidate
from dialoom.schema import pack
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.task import TaskSchema
from tests.collect.rooms import suggester

ITEM = {"Name": "Juniper", "Time": "19:30", "PartySize": 4, "CustomerName": "Ada Quill"}


def ids(found: tuple[Candidate, ...]) -> list[str]:
    return [candidate.id for candidate in found]


@pytest.mark.parametrize(
    ("typed", "action"),
    [
        ("hello", "hello"),
        ("who is the host", "ask_name"),
        ("how many chairs", "restaurant_ask_size"),
        ("how many chars wil you need", "restaurant_ask_size"),
        ("when do you sit down", "restaurant_ask_time"),
        ("bye", "goodbye_1"),
        ("sorry no use with that", "out_of_scope"),
    ],
)
def test_replies_are_ranked_by_what_was_typed(typed: str, action: str) -> None:
    assert ids(suggester("restaurant_book").rank(typed, ITEM, 3))[0] == action


def test_texts_are_filled_from_the_item_as_people_say_it() -> None:
    ranking = suggester("restaurant_book").rank("there's a table waiting", ITEM, 1)
    text = "There's a table for 4 waiting at Juniper. Should I keep it for you?"
    assert ranking == (Candidate("restaurant_ask_confirm_booking", text),)
    ranking = suggester("restaurant_book").rank("your table is set", ITEM, 1)
    assert ranking[0].text == "Your table at Juniper is set for 4 at 7:30 pm."


def test_what_the_item_lacks_comes_from_what_is_known() -> None:
    values = {"Name": "Halfway Inn", "Time": "20:00", "PartySize": 2}
    ranking = suggester("restaurant_book").rank("your table is set", {"Name": "Juniper"}, 1, values)
    assert ranking[0].text == "Your table at Juniper is set for 2 at 8 pm."


def test_what_cannot_be_filled_is_left_out() -> None:
    ranking = suggester("restaurant_book").rank("your table is set", None, 99)
    assert "restaurant_inform_booking_successful" not in ids(ranking)
    # one of its texts has no placeholder
    assert "restaurant_inform_booking_failed" in ids(ranking)
    half = suggester("restaurant_book").rank("it's settled", {"Name": "x", "PartySize": ""}, 99)
    assert "restaurant_inform_booking_successful" not in ids(half)


def test_the_next_action_of_the_flow_comes_first_among_equals() -> None:
    plain = suggester("restaurant_book").rank("ok", ITEM, 99)
    for action in ids(plain):
        likely = suggester("restaurant_book").rank("ok", ITEM, 99, {}, (action,))
        assert ids(likely).index(action) <= ids(plain).index(action)
    hello = suggester("restaurant_book").rank("hello", ITEM, 1, {}, ("goodbye_1",))
    assert ids(hello) == ["hello"]


def test_steps_are_read_out_one_after_another() -> None:
    task = pack.load("trip_directions")
    nodes = task.flow.nodes.values()
    reading = next(node for node in nodes if node.reads and "{step}" in "".join(node.texts))
    item = {str(reading.reads): ["Turn left", "Turn right"]}
    for place, step in enumerate(item[str(reading.reads)]):
        ranking = suggester("trip_directions").rank(reading.texts[0], item, 99, {READ: place})
        assert step in next(str(c.text) for c in ranking if c.id == reading.name)
    ranking = suggester("trip_directions").rank(reading.texts[0], item, 99, {READ: 2})
    assert reading.name not in ids(ranking)


def test_a_task_without_a_file_of_its_own_has_its_published_replies() -> None:
    task = TaskSchema(
        id="visit",
        flow=FlowGraph(
            nodes={
                "ask": Node(name="ask", kind="system", texts=("On which day?",), examples=("day",)),
                "confirm": Node(name="confirm", kind="system", texts=("Come on {Day:s}.",)),
            }
        ),
    )
    ranking = Suggester(task).rank("what day", {"Day": "Monday"}, 9)
    assert ranking == (Candidate("ask", "On which day?"), Candidate("confirm", "Come on Monday."))
    assert Suggester(TaskSchema(id="bare")).rank("hello") == ()


LISTS = st.lists(st.text(max_size=5), max_size=3)
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=9), st.lists(st.text())
)


@settings(max_examples=60)
@given(
    st.sampled_from(["restaurant_book", "hotel_book", "trip_directions"]),
    st.text(max_size=30),
    st.dictionaries(st.sampled_from([*ITEM, "Instructions", "StartDate"]), VALUES),
    st.integers(1, 6),
)
def test_no_placeholder_is_ever_shown(
    task: str, typed: str, item: dict[str, Any], count: int
) -> None:
    ranking = suggester(task).rank(typed, item, count)
    assert len(ranking) <= count
    assert len(set(ids(ranking))) == len(ranking)
    own = "".join(map(str, item.values()))
    for candidate in ranking:
        assert candidate.text
        assert "{" in own or "{" not in candidate.text


def test_one_encoder_may_be_given() -> None:
    class First:
        """Finds the first text alike, and no other."""

        def fit(self, texts: Any) -> None:
            self.texts = list(texts)

        def similarity(self, left: Any, right: Any) -> Any:
            import numpy as np

            return np.array([[float(text == self.texts[0]) for text in right] for _ in left])

    ranking = Suggester(pack.load("restaurant_book"), First()).rank("bye", None, 1)
    assert ids(ranking) == ["hello"]
