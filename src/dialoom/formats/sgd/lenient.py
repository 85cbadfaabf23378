"""Codecs for SGD's objects, for keys and values that the typed records do not have.

A file is read with them only if the typed records refuse it; the result are loose records with the
same attributes. A dialogue is written with them if it has notes on its file. Values that the model
does not have are kept in `extra` at each level (base/codec.py). Ids, speakers, utterances, lists of
turns, and objects in lists are required: an error gives the place of a missing one.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from msgspec import UNSET

from dialoom.dialogue import Dialogue, Origin
from dialoom.formats.base.codec import Key, Place, Record, marked
from dialoom.formats.base.values import (
    LIST,
    OBJECTS,
    SCALAR,
    SCALARS,
    TEXT,
    TEXTS,
    ByKey,
    Converted,
    FunctionCodec,
    Json,
    Kind,
    Many,
    Whole,
)
from dialoom.formats.sgd import reading
from dialoom.schema.service import NO_INTENT

_PARAMETER = FunctionCodec(lambda raw: (SCALARS if type(raw) is list else SCALAR).read(raw))
"""A codec for a parameter: a single value, or a list of alternatives."""


class Loose(SimpleNamespace):
    """A record like those of raw.py, which may have values of other types and `extra`."""


_record = partial(Record[Loose], ordered=False)

COPIED = "copy_from"

OFFSET = Whole(int, most=2**53)
"""A codec for an index into a text."""

ACTION = _record(
    "action",
    Loose,
    Key("act", TEXT, nothing=""),
    Key("canonical_values", SCALARS),
    Key("slot", TEXT, nothing=""),
    Key("values", SCALARS, nothing=()),
)
SLOT = _record(
    "slot",
    Loose,
    Key("exclusive_end", OFFSET, nothing=0),
    Key("slot", TEXT),
    Key("start", OFFSET, nothing=0),
    Key("value", Kind(str, int, float, bool), optional=True),  # in MultiWOZ 2.2
)
STATE = _record(
    "state",
    Loose,
    Key("active_intent", TEXT, nothing=NO_INTENT),
    Key("requested_slots", TEXTS, nothing=()),
    Key("slot_values", ByKey(SCALARS), nothing={}),
)
CALL = _record(
    "call",
    Loose,
    Key("method", TEXT, nothing=""),
    Key("parameters", ByKey(_PARAMETER), nothing={}),
)


def _frame(extra: Json, **fields: Any) -> Loose:
    """Return a frame; slots whose value was said of another slot have no span, and are noted.

    MultiWOZ 2.2 has them: `{"slot": "taxi-leave", "copy_from": "hotel-name", "value": [...]}`.
    """
    slots = fields["slots"]
    copied = [[at, SLOT.write(slot)] for at, slot in enumerate(slots) if COPIED in slot.extra]
    if copied:
        fields["slots"] = tuple(slot for slot in slots if COPIED not in slot.extra)
    return Loose(**fields, extra=marked(extra, slots=copied))


# what is inside of frames and turns, writing.py has already converted
FRAME = _record(
    "frame",
    _frame,
    Key("actions", FunctionCodec(Many(ACTION).read), nothing=()),
    Key("service", TEXT, nothing=""),
    Key("service_call", FunctionCodec(CALL.read), nothing=UNSET, optional=True),
    Key("service_results", OBJECTS, nothing=UNSET, optional=True),
    Key("slots", FunctionCodec(Many(SLOT).read), nothing=()),
    Key("state", FunctionCodec(STATE.read), nothing=UNSET, optional=True),
)
TURN = _record(
    "turn",
    Loose,
    Key("frames", FunctionCodec(Many(FRAME).read), nothing=()),
    Key("speaker", TEXT, needed=True),
    Key("utterance", TEXT, needed=True),
)
DIALOGUE = _record(
    "dialogue",
    Loose,
    Key("dialogue_id", Converted(Kind(str, int), str, str), needed=True),
    Key("services", TEXTS, nothing=()),
    Key("turns", LIST, needed=True),
)


def dialogue(value: Any, file: Path, origin: Origin) -> Dialogue:
    """Return the dialogue of a JSON value; `FormatError` if it is not SGD's."""
    name = value.get("dialogue_id") if type(value) is dict else None
    place = Place(file, name if type(name) is str else f"{origin.index} of the file")
    fields, extra = DIALOGUE.load_fields(value, place)
    turns = enumerate(fields.pop("turns"))
    name = fields["dialogue_id"]
    loose: Any = Loose(
        **fields, turns=[TURN.load(turn, Place(file, name, at)) for at, turn in turns], extra=extra
    )
    return reading.dialogue(loose, origin)
