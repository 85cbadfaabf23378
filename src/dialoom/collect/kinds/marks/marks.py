"""The marks of one utterance: what an annotator marks, as pages send it and the log stores it.

    {"spans": [{"start": 2, "end": 7, "text": "large", "labels": ["size"]}],
     "acts": [{"act": "inform", "slot": "size", "value": "large", "frame": 2}],
     "states": [{"service": "Cafes_1", "intent": "FindCafe", "values": {"city": ["Ostby"]}}],
     "relations": [{"relation": "refers_to", "start": 2, "end": 7,
                    "line": 0, "to_start": 9, "to_end": 14}],
     "active": 2}

Each layer is a key and may be left out where nothing is marked. `active` is the active frame.
Offsets count Unicode code points.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from dialoom.collect.message import Refused
from dialoom.dialogue.annotation import Struct

INTENT = None
"""The key of a service's intent, where a slot's value has the slot's name."""

Facts = dict[tuple[str, str | None], Any]
"""Service and slot (or INTENT) to what the state says."""


def carried(before: Marks, after: Marks, later: Mapping[str, Marks]) -> Iterator[tuple[str, Marks]]:
    """Yield the utterances of `later` (part to marks) that change with one, with new marks.

    States are complete, so a corrected value is carried over up to the first utterance with another
    value than the one corrected; requested slots are of their own utterance only.
    """
    old, new = _facts(before), _facts(after)
    open_ = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    for part, marks in later.items():
        facts = _facts(marks)
        open_ = {key for key in open_ if facts.get(key) == old.get(key)}
        if not open_:
            return
        for key in sorted(open_, key=repr):
            if key in new:
                facts[key] = new[key]
            else:
                del facts[key]
        yield part, replace(marks, states=_states(marks, facts))


def _facts(marks: Marks) -> Facts:
    facts: Facts = {}
    for state in marks.states:
        if state.intent is not None:
            facts[state.service, INTENT] = state.intent
        facts |= {(state.service, slot): values for slot, values in state.values.items()}
    return facts


def _states(marks: Marks, facts: Facts) -> tuple[MarkedState, ...]:
    requests = {state.service: state.requested for state in marks.states}
    services = dict.fromkeys((*requests, *(service for service, _ in facts)))
    new_states = [
        MarkedState(
            service,
            facts.get((service, INTENT)),
            requests.get(service, ()),
            {
                slot: values
                for (of, slot), values in facts.items()
                if of == service and slot is not None
            },
        )
        for service in services
    ]
    return tuple(state for state in new_states if state != MarkedState(state.service))


class MarkedSpan(Struct, frozen=True):
    """A span of an utterance, from `start` up to `end`, with its text and labels."""

    start: int
    end: int
    text: str
    labels: tuple[str, ...]


class MarkedAct(Struct, frozen=True):
    """A dialogue act, with its slot, value and frame if it has them.

    An act without a frame is about the active one; a frame number that is one higher than the last
    creates a new frame. With `reads`, the frame is the one that the values are taken from (`read`
    in Frames). An act with several values of a slot, or several frames, has a mark for each.
    """

    act: str
    slot: str | None = None
    value: str | None = None
    frame: int | None = None
    reads: bool = False


class MarkedState(Struct, frozen=True):
    """The complete dialogue state of one service after an utterance, not only its changes."""

    service: str
    intent: str | None = None
    requested: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = {}


class MarkedRelation(Struct, frozen=True):
    """A relation of a span of this utterance to one of the same or another utterance, `line`."""

    relation: str
    start: int
    end: int
    line: int
    to_start: int
    to_end: int

    @property
    def span(self) -> tuple[int, int]:
        """Start and end of the first span."""
        return self.start, self.end

    @property
    def target(self) -> tuple[int, int]:
        """Start and end of the other span."""
        return self.to_start, self.to_end


class Marks(Struct, frozen=True):
    """The marks of one utterance; `active` is the active frame, unless the acts determine it."""

    spans: tuple[MarkedSpan, ...] = ()
    acts: tuple[MarkedAct, ...] = ()
    states: tuple[MarkedState, ...] = ()
    relations: tuple[MarkedRelation, ...] = ()
    active: int | None = None


NO_MARKS = Marks()

LISTS = ("spans", "acts", "states", "relations")
"""The fields of `Marks` that are lists."""


def marks_of(value: Any) -> Marks:
    """Return the marks of a JSON value, where None has none; else `Refused` (`malformed`)."""
    try:
        return msgspec.convert({} if value is None else value, Marks)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"not the marks of an utterance: {error}") from error


def plain(marks: Marks) -> dict[str, Any]:
    """Return marks as JSON values with a key for every layer, as the log has them."""
    lists = {name: getattr(marks, name) for name in LISTS}
    values: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(lists))
    return values | {"active": marks.active}


def ordered(marks: Marks) -> Marks:
    """Return marks in a fixed order, so that equal annotations compare as equal."""
    return Marks(
        spans=tuple(sorted(marks.spans, key=lambda each: (each.start, each.end))),
        acts=tuple(sorted(marks.acts, key=repr)),
        states=tuple(sorted(marks.states, key=lambda each: each.service)),
        relations=tuple(sorted(marks.relations, key=repr)),
        active=marks.active,
    )


def f1(marks: Iterable[Marks], reference: Iterable[Marks]) -> float:
    """Return the F1 of the marks of all utterances of a dialogue; 1 where nothing is marked."""
    one, other = set(_each(marks)), set(_each(reference))
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 1.0


def _each(marks: Iterable[Marks]) -> Iterator[tuple[Any, ...]]:
    for place, each in enumerate(marks):
        for span in each.spans:
            yield from ((place, span.start, span.end, label) for label in span.labels)
        yield from ((place, act.act, act.slot, act.value) for act in each.acts)
        for state in each.states:
            yield place, state.service, state.intent
            yield from ((place, state.service, *value) for value in state.values.items())
        yield from ((place, relation) for relation in each.relations)
