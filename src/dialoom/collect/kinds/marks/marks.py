"""The marks of one utterance, as pages save them and the log keeps them.

    {"spans": [{"start": 2, "end": 7, "text": "large", "labels": ["size"]}],
     "acts": [{"act": "inform", "slot": "size", "value": "large", "frame": 2}],
     "states": [{"service": "Cafes_1", "intent": "FindCafe", "values": {"city": ["Ostby"]}}],
     "active": 2}

Each layer is a key; what is not marked may be left out. Offsets are Unicode code points.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.collect.message import Refused
from dialoom.dialogue.annotation import Struct


class MarkedSpan(Struct, frozen=True):
    """Characters of an utterance with their labels; `text` is what they read."""

    start: int
    end: int
    text: str
    labels: tuple[str, ...]


class MarkedAct(Struct, frozen=True):
    """An act, with the slot it is about, its value, and the frame they belong to, where it has any.

    Without a frame it is about the active one; one more than there are is a new frame. With `reads`
    the frame is the one that what is said comes from (Frames' `read`). An act with several values
    of a slot, or several frames, is marked once for each.
    """

    act: str
    slot: str | None = None
    value: str | None = None
    frame: int | None = None
    reads: bool = False


class MarkedState(Struct, frozen=True):
    """The state of one service after an utterance, whole: it is not what the utterance changes."""

    service: str
    intent: str | None = None
    requested: tuple[str, ...] = ()
    values: dict[str, tuple[str, ...]] = {}


class Marks(Struct, frozen=True):
    """The marks of one utterance; `active` is its frame where the acts do not tell it."""

    spans: tuple[MarkedSpan, ...] = ()
    acts: tuple[MarkedAct, ...] = ()
    states: tuple[MarkedState, ...] = ()
    active: int | None = None


NO_MARKS = Marks()


def marks_of(value: Any) -> Marks:
    """Return the marks that a value is.

    Raises:
        Refused: It is none.
    """
    try:
        return msgspec.convert({} if value is None else value, Marks)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"not the marks of an utterance: {error}") from error


def plain(marks: Marks) -> dict[str, Any]:
    """Return marks as JSON values, every layer among them, as they are read from the log."""
    lists = msgspec.json.decode(msgspec.json.encode((marks.spans, marks.acts, marks.states)))
    return dict(zip(("spans", "acts", "states"), lists, strict=True)) | {"active": marks.active}


def ordered(marks: Marks) -> Marks:
    """Return marks in an order that does not tell how they were made."""
    return Marks(
        spans=tuple(sorted(marks.spans, key=lambda each: (each.start, each.end))),
        acts=tuple(sorted(marks.acts, key=repr)),
        states=tuple(sorted(marks.states, key=lambda each: each.service)),
        active=marks.active,
    )
