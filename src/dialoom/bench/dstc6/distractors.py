"""A challenge set of distractors: users who mention values that they do not want.

If the user's turn right before a question mentions one value, the turn is replaced by a line of
`lang/en-distractors.json` that mentions other values of the slot first, then this one. The right
answer stays the same. Such questions count in a slice of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from random import Random

import msgspec
from msgspec.structs import replace

from dialoom.bench.core.protocol import Target
from dialoom.dialogue import USER, Query, Utterance
from dialoom.schema.lexicon import texts_of

DISTRACTED = "made distractors"

EVERY = 10
"""One in so many of the questions that can be changed is: enough to score, cheap to ask."""

_MARKS = ".,?!"


class _Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    lines: tuple[str, ...]


@cache
def lines() -> tuple[str, ...]:
    """Return the lines that a user's turn is put into."""
    return texts_of("en", "distractors", "distractors", _Texts).lines


def called_values(targets: Iterable[Target]) -> dict[str, tuple[str, ...]]:
    """Return the values that each slot has in calls, in alphabetical order."""
    by_slot: dict[str, set[str]] = {}
    for events in {id(target.seen): target.seen for target in targets}.values():
        for event in events:
            for constraint in event.constraints if isinstance(event, Query) else ():
                by_slot.setdefault(constraint.slot, set()).add(str(constraint.value))
    return {slot: tuple(sorted(values)) for slot, values in by_slot.items()}


def with_distracted(targets: Sequence[Target], values: Mapping[str, Sequence[str]]) -> list[Target]:
    """Return the questions, then the changed form of one in `EVERY` of those that have one."""
    variants = filter(None, (distracted(target, values) for target in targets))
    return [*targets, *islice(variants, None, None, EVERY)]


def distracted(target: Target, values: Mapping[str, Sequence[str]]) -> Target | None:
    """Return a question whose last user turn also mentions other values of its slot.

    None where that turn mentions not exactly one value, or the slot has fewer than three.
    """
    place = target.position - 1
    last = target.seen[place] if place >= 0 else None
    if not isinstance(last, Utterance) or last.agent != USER:
        return None
    slots = {value: slot for slot, choices in values.items() for value in choices}
    words = [word.rstrip(_MARKS) for word in last.text.split(" ")]
    hits = [word for word in words if word in slots]
    others = [v for v in values[slots[hits[0]]] if v != hits[0]] if len(hits) == 1 else []
    if len(others) < 2:
        return None
    random = Random(f"{target.source}/{target.event}")
    other, more = random.sample(others, 2)
    text = random.choice(lines()).format(other=other, more=more, said=last.text)
    events = (*target.seen[:place], replace(last, text=text), *target.seen[place + 1 :])
    return replace(target, seen=events, slices=(DISTRACTED,), aside=True)
