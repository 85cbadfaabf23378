"""The acts of Frames: their names, arguments, and references to other frames.

    {"args": [{"val": "Ostby", "key": "dst_city"},
              {"val": [{"annotations": [{"val": "Tarn", "key": "or_city"}], "frame": 1}],
               "key": "ref"}], "name": "inform"}

An argument with several values, which other formats have, is written as several with the same key.
A value that is neither a scalar nor a list of references is kept in `extra`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET

from dialoom.dialogue import Act, Argument, Reference
from dialoom.formats.base.codec import Key, Record, marked, marks
from dialoom.formats.base.values import LIST, SCALAR, TEXT, WHOLE, FunctionCodec, Json, Many

ACTS = frozenset(
    {"affirm", "canthelp", "confirm", "goodbye", "greeting", "hearmore", "inform"}
    | {"moreinfo", "negate", "no_result", "offer", "reject", "request", "request_alts"}
    | {"request_compare", "sorry", "suggest", "switch_frame", "thankyou", "you_are_welcome"}
)
"""The twenty acts of Frames (El Asri et al. 2017, table 2)."""

REFERENCES = ("ref", "read", "write")
"""The keys of arguments whose value is a list of references."""


def _read_value(raw: Any) -> Any:
    refers = type(raw) is list and all(type(each) is dict and "frame" in each for each in raw)
    return _REFERENCES.read(raw) if raw and refers else SCALAR.read(raw)


def _write_value(value: Any) -> Any:
    return _REFERENCES.write(value) if isinstance(value, tuple) else value


ARGUMENTS = FunctionCodec(
    lambda raw: tuple(map(ARGUMENT.read, LIST.read(raw))),
    lambda value: [ARGUMENT.write(single) for each in value for single in _singles(each)],
)
"""A codec for a list of arguments, each with at most one value."""


def _singles(argument: Argument) -> Iterator[Argument]:
    if len(argument.values) + bool(argument.references) < 2:
        yield argument
        return
    extra = argument.extra
    for value in argument.values:
        yield Argument(argument.slot, (value,), extra=extra)
        extra = {}
    if argument.references:
        yield Argument(argument.slot, references=argument.references)


def _argument(slot: str, value: Any, extra: Json) -> Argument:
    if value is UNSET:
        return Argument(slot, extra=extra)
    if not isinstance(value, tuple):
        return Argument(slot, (value,), extra=extra)
    if slot in REFERENCES:
        return Argument(slot, references=value, extra=extra)
    return Argument(slot, extra=marked(extra, val=_REFERENCES.write(value)))


def _fields(argument: Argument) -> Json:
    if argument.references:
        slot = argument.slot if argument.slot in REFERENCES else REFERENCES[0]
        return {"slot": slot, "value": argument.references}
    default = marks(argument.extra).get("val", UNSET)
    return {"slot": argument.slot, "value": argument.values[0] if argument.values else default}


REFERENCE = Record(
    "reference",
    Reference,
    Key("annotations", ARGUMENTS, to="arguments", optional=True, strict=True),
    Key("frame", WHOLE, needed=True),
)
_REFERENCES = Many(REFERENCE)

ARGUMENT: Record[Argument] = Record(
    "argument",
    _argument,
    Key("val", FunctionCodec(_read_value, _write_value), to="value", nothing=UNSET, optional=True),
    Key("key", TEXT, to="slot", needed=True),
    fields=_fields,
)

ACT_LIST = Many(
    Record(
        "act",
        Act,
        Key("args", ARGUMENTS, to="arguments", nothing=(), strict=True),
        Key("name", TEXT, needed=True),
    )
)
