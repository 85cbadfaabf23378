"""What can be spared of a flow, read off task files."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.flow.steps import Omissible
from dialoom.schema import pack
from dialoom.schema.condition import Condition
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from tests.sim.designs import BOAT


def spare(text: str) -> Omissible:
    task = read_text(text)
    return Omissible(task)


def changed(old: str, new: str) -> str:
    assert old in BOAT
    return BOAT.replace(old, new, 1)


def test_a_booking() -> None:
    spares = spare(BOAT)
    assert spares.questions == {"ask_extras"}
    assert spares.courtesies == {"goodbye"}
    assert spares.farewells == {"leave"}
    assert spares.openings == {}


def booking() -> TaskSchema:
    return read_text(BOAT)


def with_slot(**changes: Any) -> TaskSchema:
    task = booking()
    slot = replace(task.slots["extras"], **changes)
    return replace(task, slots={**task.slots, "extras": slot})


def with_node(name: str, **changes: Any) -> TaskSchema:
    task = booking()
    changed = replace(task.flow.nodes[name], **changes)
    return replace(task, flow=FlowGraph(nodes={**task.flow.nodes, name: changed}, complete=True))


def with_input(**changes: Any) -> TaskSchema:
    task = booking()
    call = task.calls["boat_hire"]
    inputs = tuple(replace(c, **changes) if c.slot == "extras" else c for c in call.inputs)
    return replace(task, calls={"boat_hire": replace(call, inputs=inputs)})


@pytest.mark.parametrize(
    "task",
    [
        with_slot(optional=False),
        with_input(required=True),
        with_input(required_if={"Crew": ("2",)}),
        with_node("no_extras", gives_none=False),
        with_node("confirm", when=(Condition("extras", "equal", ("Oars",)),)),
        with_node("accept", set={"extras": "Oars"}),
    ],
    ids=["slot", "input", "input at times", "no way to decline", "condition", "set"],
)
def test_a_question_that_something_needs_is_not_optional(task: TaskSchema) -> None:
    assert Omissible(booking()).questions == {"ask_extras"}
    assert Omissible(task).questions == set()


def test_a_greeting_between_two_turns_of_the_user() -> None:
    greeted = changed("    then: ask_boat\n  ask_boat:", "    then: hello\n  hello:\n"
                      "    system: [Ahoy!]\n    then: say_wish\n  say_wish:\n"
                      "    user: ['A boat.', 'A boat at {time}.']\n    then: ask_boat\n"
                      "  ask_boat:")  # fmt: skip
    spares = spare(greeted)
    assert spares.openings == {"open": ("hello", "say_wish")}
    assert spares.ways["open"] == (("hello", "say_wish"),)
    assert spares.ways["hello"] == ()  # nothing comes between two turns of the user but by "open"
    wordless = greeted.replace(", 'A boat at {time}.'", "")
    spares = spare(wordless)
    assert spares.openings == {}
    assert spares.reply("hello") == "say_wish"
    assert spares.ways["hello"] == (("say_wish", "ask_boat"),)


def test_a_reply_to_a_result_is_no_courtesy() -> None:
    silent = changed('["Noted: {Boat}, {time}."]', "[It is noted.]")
    assert spare(silent).courtesies == {"goodbye"}


@pytest.mark.parametrize("name", pack.names())
def test_no_task_can_spare_what_it_is_for(name: str) -> None:
    task = pack.load(name)
    spares = Omissible(task)
    required = {
        column.slot for call in task.calls.values() for column in call.inputs if column.required
    }
    for question in spares.questions:
        node = task.flow.nodes[question]
        assert not required & set(node.asks)
        assert all(task.slots[slot].optional for slot in node.asks)
    for courtesy in spares.courtesies:
        assert task.flow.nodes[courtesy].kind == "system"
        assert not task.flow.nodes[courtesy].asks


def test_a_greeting_that_opens_the_dialogue() -> None:
    task = booking()
    first = next(iter(task.flow.nodes.values()))
    hello = Node(name="hello", kind="system", texts=("Welcome!",), then=(first.name,))
    nodes = {"hello": hello, **task.flow.nodes}
    spares = Omissible(replace(task, flow=FlowGraph(nodes=nodes, complete=True)))
    assert spares.ways["hello"] == ((first.name,),)
