"""What can be spared of a flow, read off task files."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from dialoom.schema import pack
from dialoom.schema.design import Design
from dialoom.schema.reading import read_text
from dialoom.sim.policies.flow.omissible import Omissible
from tests.sim.designs import BOAT


def spare(text: str) -> Omissible:
    task = read_text(text)
    assert task.design is not None
    return Omissible(task.design)


def changed(old: str, new: str) -> str:
    assert old in BOAT
    return BOAT.replace(old, new, 1)


def test_a_booking() -> None:
    found = spare(BOAT)
    assert found.questions == {"ask_extras"}
    assert found.courtesies == {"goodbye"}
    assert found.farewells == {"leave"}
    assert found.openings == {}


def booking() -> Design:
    task = read_text(BOAT)
    assert task.design is not None
    return task.design


def with_slot(**changes: Any) -> Design:
    design = booking()
    slot = replace(design.slots["extras"], **changes)
    return replace(design, slots={**design.slots, "extras": slot})


def with_node(name: str, **changes: Any) -> Design:
    design = booking()
    return replace(design, nodes={**design.nodes, name: replace(design.nodes[name], **changes)})


def with_input(**changes: Any) -> Design:
    design = booking()
    call = design.calls["boat_hire"]
    inputs = tuple(replace(c, **changes) if c.slot == "extras" else c for c in call.inputs)
    return replace(design, calls={"boat_hire": replace(call, inputs=inputs)})


@pytest.mark.parametrize(
    "design",
    [
        with_slot(optional=False),
        with_input(required=True),
        with_input(required_if={"WorkerPool": ("2",)}),
        with_node("no_extras", gives_none=False),
        with_node("confirm", when={"extras": ("Oars",)}),
        with_node("accept", set={"extras": "Oars"}),
    ],
    ids=["slot", "input", "input at times", "no way to decline", "condition", "set"],
)
def test_a_question_that_something_needs_is_not_optional(design: Design) -> None:
    assert Omissible(booking()).questions == {"ask_extras"}
    assert Omissible(design).questions == set()


def test_a_greeting_between_two_turns_of_the_user() -> None:
    greeted = changed("    then: ask_boat\n  ask_boat:", "    then: hello\n  hello:\n"
                      "    system: [Ahoy!]\n    then: say_wish\n  say_wish:\n"
                      "    user: ['A boat.', 'A boat at {time}.']\n    then: ask_boat\n"
                      "  ask_boat:")  # fmt: skip
    found = spare(greeted)
    assert found.openings == {"open": ("hello", "say_wish")}
    assert found.ways["open"] == (("hello", "say_wish"),)
    assert found.ways["hello"] == ()  # nothing comes between two turns of the user but by "open"
    wordless = greeted.replace(", 'A boat at {time}.'", "")
    found = spare(wordless)
    assert found.openings == {}
    assert found.reply("hello") == "say_wish"
    assert found.ways["hello"] == (("say_wish", "ask_boat"),)


def test_a_reply_to_a_result_is_no_courtesy() -> None:
    silent = changed('["Noted: {Boat}, {time}."]', "[It is noted.]")
    assert spare(silent).courtesies == {"goodbye"}


@pytest.mark.parametrize("name", pack.names())
def test_no_task_can_spare_what_it_is_for(name: str) -> None:
    design = pack.load(name).design
    assert design is not None
    found = Omissible(design)
    required = {
        column.slot for call in design.calls.values() for column in call.inputs if column.required
    }
    for question in found.questions:
        node = design.nodes[question]
        assert not required & set(node.asks)
        assert all(design.slots[slot].optional for slot in node.asks)
    for courtesy in found.courtesies:
        assert design.nodes[courtesy].kind == "system"
        assert not design.nodes[courtesy].asks
