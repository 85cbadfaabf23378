"""The kinds of annotation that annotators are compared by, and the marks of each in an utterance.

docs/reference/statistics.md lists each kind's label and value, and what an annotator decides about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from dialoom.dialogue.annotation import CHOICES, GRADES, RELATIONS, Part

THERE = "yes"
"""The value of a label without values of its own."""


class Place(NamedTuple):
    """The place of a label: an utterance, or the characters `start` to `end` of its text."""

    event: int
    label: str
    start: int = 0
    end: int = 0


Mark = tuple[Place, str]
"""A marked place, and the value it was given."""

Read = Callable[[int, Part], Iterator[Mark] | None]
"""A part of an utterance to its marks of a kind; None where it has no annotation of the kind."""


def _spans(event: int, part: Part) -> Iterator[Mark] | None:
    if part.spans is None:
        return None
    return (
        (Place(event, label, span.start, span.end), THERE)
        for span in part.spans
        for label in span.labels
    )


def _acts(event: int, part: Part) -> Iterator[Mark] | None:
    if part.acts is None:
        return None
    return ((Place(event, act.name), THERE) for act in part.acts)


def _arguments(event: int, part: Part) -> Iterator[Mark] | None:
    if part.acts is None:
        return None
    given: dict[str, set[str]] = {}
    for act in part.acts:
        for argument in act.arguments:
            said = given.setdefault(f"{_service(part)}{act.name}({argument.slot})", set())
            said.update(map(str, argument.values))
            said.update(f"frame {reference.frame}" for reference in argument.references)
    return ((Place(event, label), _several(values)) for label, values in given.items())


def _several(values: Iterable[object]) -> str:
    """Return values as one; one that is there without a value is `yes`."""
    return " / ".join(sorted(map(str, values))) or THERE


def _intents(event: int, part: Part) -> Iterator[Mark] | None:
    if part.state is None:
        return None
    return iter([(Place(event, f"{_service(part)}intent"), part.state.intent or "none")])


def _state(event: int, part: Part) -> Iterator[Mark] | None:
    if part.state is None:
        return None
    values = part.state.values.items()
    return ((Place(event, f"{_service(part)}{slot}"), _several(given)) for slot, given in values)


def _service(part: Part) -> str:
    return f"{part.service}." if part.service else ""


def _frames(event: int, part: Part) -> Iterator[Mark] | None:
    if part.active_frame is None:
        return None
    return iter([(Place(event, "active frame"), str(part.active_frame))])


def _grades(event: int, part: Part) -> Iterator[Mark] | None:
    given = part.extra.get(GRADES)
    if not isinstance(given, dict):
        return None
    return (
        (Place(event, criterion), str(grade))
        for criterion, grade in given.items()
        if type(grade) is int
    )


def _choices(event: int, part: Part) -> Iterator[Mark] | None:
    if CHOICES not in part.extra:
        return None
    return ((Place(event, label), str(value)) for label, value in part.extra[CHOICES].items())


def _relations(event: int, part: Part) -> Iterator[Mark] | None:
    if RELATIONS not in part.extra:
        return None
    given: dict[Place, list[str]] = {}
    for each in part.extra[RELATIONS]:
        place = Place(event, each["relation"], each["start"], each["end"])
        given.setdefault(place, []).append(f"{each['line']}:{each['to_start']}-{each['to_end']}")
    return ((place, _several(targets)) for place, targets in given.items())


KINDS: Mapping[str, Read] = {
    "spans": _spans,
    "acts": _acts,
    "arguments": _arguments,
    "intents": _intents,
    "state": _state,
    "frames": _frames,
    "grades": _grades,
    "choices": _choices,
    "relations": _relations,
}
"""The kinds of annotation."""

IN_EACH = frozenset({"intents", "state", "frames", "grades", "choices"})
"""Kinds that are in each utterance that was annotated: a state is of the user's turns alone."""

ORDINAL = frozenset({"grades"})
"""Kinds whose values are whole numbers in an order."""
