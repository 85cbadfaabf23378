"""Rules of the flow that no other task teaches: lists read out step by step, replies not sayable.

A list is read out by an action that the flow graph leads back to itself and whose reply takes its
text from a list of the item. What follows each step is then a matter of counting: while steps
remain, go on; before the last one, change to the reply that shares the placeholder but stands
outside the loop; where the user asks for what a side branch offers, take the branch.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from rapidfuzz import fuzz

from dialoom.models.follower.program import PLACEHOLDER, Program
from dialoom.schema.lexicon import fields, split_name, words
from dialoom.schema.values import same

TOLD = 88
"""How much of an element, of 100, a text must hold for the element to count as read out."""


class Loop(msgspec.Struct, frozen=True):
    """An action that reads out a list, with its side branches and the one for the last element.

    `branches` maps an action beside the loop to the conditions under which it is taken.
    """

    body: str
    last: str | None
    branches: dict[str, tuple[str, ...]]


def find_loops(program: Program) -> tuple[Loop, ...]:
    """Return the loops of a task: actions with placeholders that the flow leads back to."""
    bodies = {
        edge.after
        for edge in program.edges
        if edge.before == edge.after and places(program, edge.after)
    }
    return tuple(_loop(program, body) for body in sorted(bodies))


def places(program: Program, action: str) -> tuple[str, ...]:
    """Return the names of the placeholders in an action's reply."""
    return tuple(PLACEHOLDER.findall(program.texts.get(action, "")))


def _loop(program: Program, body: str) -> Loop:
    mine = set(places(program, body))
    reached = {edge.after for edge in program.edges}
    shared = [
        action
        for action in program.actions
        if action != body and action not in reached and mine & set(places(program, action))
    ]
    branches: dict[str, tuple[str, ...]] = {}
    for edge in program.edges:
        if edge.before == body and edge.after != body and places(program, edge.after):
            branches[edge.after] = (*branches.get(edge.after, ()), edge.condition)
    return Loop(body, shared[0] if shared else None, branches)


def lists_of(program: Program, action: str, item: Mapping[str, Any]) -> list[list[str]]:
    """Return the lists of an item that an action's placeholders are named after."""
    names = [split_name(name) for name in places(program, action)]
    return [
        [fields(element) for element in value]
        for key, value in item.items()
        if isinstance(value, list) and any(_alike(name, split_name(key)) for name in names)
    ]


def _alike(name: list[str], key: list[str]) -> bool:
    return any(same(one, other) for one in name for other in key)


def told(lists: list[list[str]], texts: list[str]) -> int:
    """Return how many elements have been read out: the place of the furthest one, from 1."""
    return max((_told(tuple(elements), text) for elements in lists for text in texts), default=0)


@lru_cache(maxsize=1 << 14)
def _told(elements: tuple[str, ...], text: str) -> int:
    found = 0
    said = " ".join(words(text))
    for number, element in enumerate(elements, 1):
        wanted = " ".join(words(element))
        if wanted and fuzz.partial_ratio(wanted, said) >= TOLD:
            found = number
    return found
