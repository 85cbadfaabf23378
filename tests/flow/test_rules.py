"""The rules of a flow: needless questions, and what may come next."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.flow.cursor import FlowCursor, GivenValues, Way, past, ways
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram, program_of
from dialoom.schema import pack
from dialoom.schema.condition import Condition, all_hold
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot, canonical
from dialoom.schema.task import TaskSchema
from tests.schema.random_flows import known_values, slots, tasks
from tests.schema.tiny import BARE, VISIT

PUBLISHED = program_of(VISIT)
TRIP = program_of(pack.load("trip_directions"))
BANK = program_of(pack.load("bank_balance"))


def cursor(
    program: TaskProgram, at: str | None = None, declined: Collection[str] = (), **known: Any
) -> FlowCursor:
    steps = program.named[at] if at is not None else ()
    return FlowCursor(program, GivenValues(program, known, declined), steps)


def need(program: TaskProgram, name: str, declined: set[str], **known: Any) -> str:
    return cursor(program, None, declined, **known).need(program.steps[name])


def test_what_is_known_or_declined_is_not_asked_for() -> None:
    asks = "trip_ask_arrival_location"
    assert need(TRIP, asks, set()) == "needed"
    assert need(TRIP, asks, set(), arrival_location="the zoo") == "needless"
    assert need(TRIP, asks, {"arrival_location"}) == "needless"


def test_a_condition_on_an_unknown_slot_leaves_both_open() -> None:
    asks = "trip_ask_departure_time"
    assert need(TRIP, asks, set()) == "open"
    assert need(TRIP, asks, set(), travel_mode="transit") == "needed"
    assert need(TRIP, asks, set(), travel_mode="driving") == "needless"
    assert need(TRIP, asks, {"travel_mode"}) == "needless"
    assert need(TRIP, asks, set(), departure_time="10:00") == "needless"


def test_a_slot_may_make_up_for_another() -> None:
    [pin] = (node.name for node in BANK.schema.flow.nodes.values() if node.asks == ("pin",))
    assert need(BANK, pin, set()) == "needed"
    assert need(BANK, pin, set(), birth_date="1990-01-01") == "needless"


def test_only_questions_are_left_out() -> None:
    node = Node(name="tell", kind="system", when=(Condition("size", "equal", (1,)),))
    task = TaskSchema(
        id="any",
        slots={"size": Slot(name="size", type="integer")},
        flow=FlowGraph(nodes={"tell": node}, complete=True),
    )
    assert need(program_of(task), "tell", set(), size=2) == "needed"


@pytest.mark.parametrize(
    ("known", "held"), [({}, None), ({"a": 1}, None), ({"a": 3}, False), ({"a": 1, "b": 2}, True)]
)
def test_a_condition_of_two_slots(known: dict[str, Any], held: bool | None) -> None:
    assert all_hold((Condition("a", "equal", (1,)), Condition("b", "equal", (2,))), known) is held


def test_one_of_several_values_meets_a_condition() -> None:
    assert all_hold((Condition("a", "equal", ("x",)),), {"a": ["y", "x"]}) is True
    assert all_hold((Condition("a", "equal", ("x",)),), {"a": ("y",)}) is False


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [("boolean", "yes", True), ("integer", "3", 3), ("amount", "2.5", 2.5), ("category", "3", "3")],
)
def test_values_of_a_task_file(kind: Any, text: str, value: Any) -> None:
    assert canonical(Slot(name="any", type=kind), text, "en") == value


# --- published flows -----------------------------------------------------------------------------


def test_replies_that_may_be_left_out_lead_on() -> None:
    assert cursor(PUBLISHED, "ask_guest").permitted() == {"ask_hour"}
    onwards = cursor(PUBLISHED, "ask_guest").permitted({"ask_hour", "ask_size"})
    assert onwards == {"ask_hour", "ask_size", "query_check"}


def test_the_start_and_the_end() -> None:
    assert cursor(PUBLISHED).permitted() == {"hello"}
    assert cursor(PUBLISHED, "leave").permitted() == frozenset()
    assert cursor(program_of(BARE)).permitted() == {"hello"}


def test_what_may_come_at_any_time() -> None:
    """What no node leads to, and since it shows the usual way only, a beginning anew."""
    assert PUBLISHED.loose == {"offer", "closed", "hello"}
    assert TRIP.loose == frozenset()


# --- any flow ------------------------------------------------------------------------------------


@given(tasks(), known_values, st.sets(slots), known_values)
def test_a_needless_question_stays_so(
    task: TaskSchema, known: dict[str, Any], declined: set[str], more: dict[str, Any]
) -> None:
    program = program_of(task)
    learnt = {slot: value for slot, value in more.items() if slot not in declined}
    for node in task.flow.nodes.values():
        before = need(program, node.name, declined, **known)
        after = need(program, node.name, declined, **learnt | known)
        assert before != "needless" or after == "needless"
        if node.asks and known.keys() >= {*node.asks}:
            assert before == "needless"
        if before == "open":
            assert not known.keys() >= {condition.name for condition in node.when}


@given(tasks(), known_values)
def test_what_is_expected_is_needed_and_permitted(task: TaskSchema, known: dict[str, Any]) -> None:
    program = program_of(task)
    for at in (None, *program.named):
        place = cursor(program, at, **known)
        expected = place.expected()
        assert {step.label for step in expected} <= place.permitted()
        assert {place.need(step) for step in expected} <= {"needed"}
        assert len(set(expected)) == len(expected)


@given(tasks(), known_values)
def test_ways_follow_the_edges(task: TaskSchema, known: dict[str, Any]) -> None:
    program = program_of(task)
    values = GivenValues(program, known)

    def onward(step: Step) -> list[Way]:
        return list(past(step, values)) if step.kind == "system" else []

    paths = list(ways(program.steps["hello"].after, onward))
    assert len({way[-1] for way in paths}) == len(paths)
    for way in paths:
        assert all(after in before.after for before, after in pairwise(way))


@given(tasks(), st.data())
def test_the_more_may_be_left_out_the_more_is_permitted(
    task: TaskSchema, data: st.DataObject
) -> None:
    program = program_of(task)
    actions = st.sampled_from(list(program.named))
    place = cursor(program, data.draw(actions))
    assert place.permitted() <= place.permitted(data.draw(st.sets(actions)))
