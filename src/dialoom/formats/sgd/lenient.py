"""SGD's objects key by key: dialogues with keys or values that no typed record names.

Reading comes here only where the typed records refuse a file, writing where a dialogue notes
something of its file. What the model cannot hold stays in `extra`, level by level (base/codec.py).
An id, a speaker, an utterance, a list of turns and the objects in lists must be there: where one is
missing the place is told.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Layer,
    Origin,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.formats.base.codec import Key, Place, Record
from dialoom.formats.base.values import (
    LIST,
    OBJECT,
    OBJECTS,
    SCALAR,
    SCALARS,
    TEXT,
    TEXTS,
    ByKey,
    Converted,
    Json,
    Kind,
    alike,
    unfit,
)
from dialoom.formats.sgd.calls import NO_CALL, Called, noted
from dialoom.formats.sgd.raw import NO_INTENT
from dialoom.formats.sgd.reading import AGENTS

_LIMIT = 2**53
"""Beyond this an offset is no number of characters."""


class _Offset(Kind):
    """An index into a text."""

    def read(self, raw: Any) -> Any:
        """Return the index."""
        if type(raw) is not int or not -_LIMIT <= raw <= _LIMIT:
            raise unfit(raw, "an index")
        return raw


class _Parameter(Kind):
    """A single value, or a list that offers several."""

    def read(self, raw: Any) -> Any:
        """Return the value, or a tuple of them."""
        return SCALARS.read(raw) if type(raw) is list else SCALAR.read(raw)


OFFSET = _Offset(int)


def _act(act: str, slot: str, values: Any, canonical: Any, extra: Json) -> Act:
    if not slot and not values and not canonical:
        return Act(act, extra=extra)
    differs = canonical is not None and not alike(values, canonical)
    return Act(act, (Argument(slot, values, canonical if differs else None),), extra)


def _span(slot: str | None, start: int, end: int, value: Any, extra: Json) -> Span:
    return Span(start, end, () if slot is None else (slot,), value=value, extra=extra)


ACTION = Record(
    "action",
    _act,
    Key("act", TEXT, nothing=""),
    Key("canonical_values", SCALARS, to="canonical"),
    Key("slot", TEXT, nothing=""),
    Key("values", SCALARS, nothing=()),
    ordered=False,
)
SLOT = Record(
    "slot",
    _span,
    Key("exclusive_end", OFFSET, to="end", nothing=0),
    Key("slot", TEXT),
    Key("start", OFFSET, nothing=0),
    Key("value", Kind(str, int, float, bool), optional=True),  # of MultiWOZ 2.2
    ordered=False,
)
STATE = Record(
    "state",
    State,
    Key(
        "active_intent",
        Converted(
            TEXT,
            lambda name: None if name == NO_INTENT else name,
            lambda intent: NO_INTENT if intent is None else intent,
        ),
        to="intent",
    ),
    Key("requested_slots", TEXTS, to="requested", nothing=()),
    Key("slot_values", ByKey(SCALARS), to="values", nothing={}),
    ordered=False,
)
CALL = Record(
    "call",
    Query,
    Key("method", TEXT, to="api", nothing=""),
    Key("parameters", ByKey(_Parameter(str)), nothing={}),
    ordered=False,
)
FRAME = Record(
    "frame",
    Part,
    Key("actions", OBJECTS, nothing=()),
    Key("service", TEXT, nothing=""),
    Key("service_call", OBJECT, optional=True),
    Key("service_results", OBJECTS, optional=True),
    Key("slots", OBJECTS, nothing=()),
    Key("state", OBJECT, optional=True),
    ordered=False,
)
TURN = Record(
    "turn",
    Utterance,
    Key("frames", OBJECTS, nothing=()),
    Key("speaker", TEXT, needed=True),
    Key("utterance", TEXT, needed=True),
    ordered=False,
)
DIALOGUE = Record(
    "dialogue",
    Dialogue,
    Key("dialogue_id", Converted(Kind(str, int), str, str), to="id", needed=True),
    Key("services", TEXTS, nothing=()),
    Key("turns", LIST, needed=True),
    ordered=False,
)


def dialogue(value: Any, file: Path, origin: Origin) -> Dialogue:
    """Return the dialogue that a JSON value describes.

    Raises:
        FormatError: It is not an SGD dialogue.
    """
    name = value.get("dialogue_id") if type(value) is dict else None
    place = Place(file, name if type(name) is str else f"{origin.index} of the file")
    held, extra = DIALOGUE.load_fields(value, place)
    name = held["id"]
    calls = 0
    events: list[Event] = []
    for index, turn in enumerate(held["turns"]):
        spoken = _turn(turn, Place(file, name, index), calls)
        calls += sum(type(event) is Query for event in spoken)
        events += spoken
    services = held["services"]
    return Dialogue(id=name, events=tuple(events), services=services, origin=origin, extra=extra)


def _turn(value: Any, place: Place, number: int) -> list[Event]:
    held, extra = TURN.load_fields(value, place)
    speaker: str = held["speaker"]
    agent = AGENTS.get(speaker, speaker)
    parts: list[Part] = []
    calls: list[Called] = []
    for frame in held["frames"]:
        part, call = _frame(frame, agent, number + 1)
        number += call.query is not None
        parts.append(part)
        calls.append(call)
    layers = (Layer(GOLD, tuple(noted(parts, calls))),) if parts else ()
    said = Utterance(agent=agent, text=held["utterance"], layers=layers, extra=extra)
    return [*(event for call in calls for event in call if event is not None), said]


def _frame(value: Json, agent: str, number: int) -> tuple[Part, Called]:
    held, extra = FRAME.read_fields(value)
    state = held["state"]
    part = Part(
        held["service"],
        None if "actions" in extra else tuple(map(ACTION.read, held["actions"])),
        None if "slots" in extra else tuple(map(SLOT.read, held["slots"])),
        None if state is None else STATE.read(state),
        extra=extra,
    )
    call, items = held["service_call"], held["service_results"]
    side = USER if agent == USER else SYSTEM
    query = None if call is None else _query(call, held["service"], side, number)
    if items is None:
        return part, NO_CALL if query is None else Called(query)
    if query is not None:
        return part, Called(query, Result(query=query.id, items=items))
    result = Result(items=items)
    return part, Called(None, replace(result, agent=USER) if side == USER else result)


def _query(value: Json, service: str, side: str, number: int) -> Query:
    held, extra = CALL.read_fields(value)
    return Query(
        id=str(number),
        api=held["api"],
        constraints=tuple(_constraint(*pair) for pair in held["parameters"].items()),
        service=service,
        agent=side,
        extra=extra,
    )


def _constraint(slot: str, value: Any) -> Constraint:
    """Return a parameter as a constraint; SGD has single values, a list offers several."""
    if isinstance(value, tuple):
        return Constraint(slot, "one_of", value)
    return Constraint(slot, "equal", (value,))
