"""Random tasks: questions with conditions, answers that decline, slots that make up for others."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dialoom.schema.condition import Condition
from dialoom.schema.flow import FlowGraph, Node
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

VALUES: dict[str, tuple[Any, ...]] = {"colour": ("red", "blue"), "size": (1, 2), "gift": (True,)}
"""Slot to canonical values of it."""

TYPES: dict[str, Any] = {"colour": "category", "size": "integer", "gift": "boolean"}

slots = st.sampled_from(list(VALUES))
known_values = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(values) for name, values in VALUES.items()}
)
"""Some of the slots with a canonical value."""


@st.composite
def conditions(draw: st.DrawFn) -> tuple[Condition, ...]:
    slot = draw(slots)
    some = Condition(slot, "one_of", draw(st.sampled_from([VALUES[slot][:1], VALUES[slot]])))
    return draw(st.sampled_from([(), (some,)]))


@st.composite
def tasks(draw: st.DrawFn) -> TaskSchema:
    """Draw a task whose questions lead to each other in any order, and to the end."""
    names = [f"ask_{number}" for number in range(draw(st.integers(1, 5)))]
    following = st.lists(st.sampled_from([*names, "bye"]), min_size=1, max_size=3, unique=True)
    nodes = {"hello": Node(name="hello", kind="user", texts=("Hello.",), then=tuple(names))}
    for name in names:
        asks = tuple(draw(st.lists(slots, min_size=1, max_size=2, unique=True)))
        reply = Node(
            name=f"give_{name}",
            kind="user",
            texts=(" ".join(f"{{{slot}}}" for slot in asks),),
            then=tuple(draw(following)),
        )
        none = Node(
            name=f"none_{name}",
            kind="user",
            texts=("Any.",),
            gives_none=True,
            then=tuple(draw(following)),
        )
        answers = draw(st.sampled_from([(reply,), (reply, none), (none, reply), ()]))
        then = tuple(answer.name for answer in answers) or tuple(draw(following))
        when = draw(conditions())
        nodes[name] = Node(name=name, kind="system", texts=("?",), asks=asks, when=when, then=then)
        nodes |= {answer.name: answer for answer in answers}
    nodes["bye"] = Node(name="bye", kind="system", texts=("Bye.",))
    unless = draw(st.fixed_dictionaries({name: st.none() | slots for name in VALUES}))
    return TaskSchema(
        id="any",
        slots={name: _slot(name, unless[name]) for name in VALUES},
        flow=FlowGraph(nodes=nodes, complete=True),
    )


def _slot(name: str, unless: str | None) -> Slot:
    return Slot(
        name=name,
        type=TYPES[name],
        values={"red": (), "blue": ()} if name == "colour" else {},
        minimum=1,
        maximum=2,
        optional=unless is None,
        unless=unless,
    )
