"""The kinds of annotation that annotators are compared by, and the marks of each in an utterance.

docs/reference/statistics.md lists each kind's label and value, and what an annotator decides about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dialoom.dialogue.annotation import CHOICES, GRADES, RELATIONS, Act, Part, Span, State

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


class MarkKind(NamedTuple):
    """A kind of annotation: what a part has of it (None without any), and the marks in that."""

    of: Callable[[Part], Any]
    marks: Callable[[int, Part, Any], Iterator[Mark]]


def marks_of(kind: str, event: int, part: Part) -> Iterator[Mark] | None:
    """Return the marks of a kind in a part of an utterance; None without annotation of the kind."""
    of, marks = KINDS[kind]
    content = of(part)
    return None if content is None else marks(event, part, content)


def _spans(event: int, part: Part, spans: Iterable[Span]) -> Iterator[Mark]:
    for span in spans:
        for label in span.labels:
            yield Place(event, label, span.start, span.end), THERE


def _acts(event: int, part: Part, acts: Iterable[Act]) -> Iterator[Mark]:
    return ((Place(event, act.name), THERE) for act in acts)


def _arguments(event: int, part: Part, acts: Iterable[Act]) -> Iterator[Mark]:
    groups: dict[str, set[str]] = {}
    for act in acts:
        for argument in act.arguments:
            texts = groups.setdefault(f"{_service(part)}{act.name}({argument.slot})", set())
            texts.update(map(str, argument.values))
            texts.update(f"frame {reference.frame}" for reference in argument.references)
    return ((Place(event, label), _several(values)) for label, values in groups.items())


def _several(values: Iterable[object]) -> str:
    return " / ".join(sorted(map(str, values))) or THERE


def _intents(event: int, part: Part, state: State) -> Iterator[Mark]:
    yield Place(event, f"{_service(part)}intent"), state.intent or "none"


def _state(event: int, part: Part, state: State) -> Iterator[Mark]:
    for slot, values in state.values.items():
        yield Place(event, f"{_service(part)}{slot}"), _several(values)


def _service(part: Part) -> str:
    return f"{part.service}." if part.service else ""


def _grades(event: int, part: Part, scores: Mapping[str, Any]) -> Iterator[Mark]:
    grades = ((criterion, grade) for criterion, grade in scores.items() if type(grade) is int)
    return ((Place(event, criterion), str(grade)) for criterion, grade in grades)


def _relations(event: int, part: Part, relations: Iterable[Mapping[str, Any]]) -> Iterator[Mark]:
    links: dict[Place, list[str]] = {}
    for each in relations:
        place = Place(event, each["relation"], each["start"], each["end"])
        links.setdefault(place, []).append(f"{each['line']}:{each['to_start']}-{each['to_end']}")
    return ((place, _several(targets)) for place, targets in links.items())


KINDS: Mapping[str, MarkKind] = {
    "spans": MarkKind(lambda part: part.spans, _spans),
    "acts": MarkKind(lambda part: part.acts, _acts),
    "arguments": MarkKind(lambda part: part.acts, _arguments),
    "intents": MarkKind(lambda part: part.state, _intents),
    "state": MarkKind(lambda part: part.state, _state),
    "frames": MarkKind(
        lambda part: part.active_frame,
        lambda event, _, active: iter([(Place(event, "active frame"), str(active))]),
    ),
    "grades": MarkKind(
        lambda part: given if isinstance(given := part.extra.get(GRADES), dict) else None, _grades
    ),
    "choices": MarkKind(
        lambda part: part.extra.get(CHOICES),
        lambda event, _, given: ((Place(event, name), str(value)) for name, value in given.items()),
    ),
    "relations": MarkKind(lambda part: part.extra.get(RELATIONS), _relations),
}
"""The kinds of annotation."""

IN_EACH = frozenset({"intents", "state", "frames", "grades", "choices"})
"""Kinds that are in each utterance that was annotated: a state is of the user's turns alone."""

ORDINAL = frozenset({"grades"})
"""Kinds whose values are whole numbers in an order."""
