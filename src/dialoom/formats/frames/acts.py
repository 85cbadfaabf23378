"""The acts of Frames: name, arguments, and references to other frames.

    {"name": "inform", "args": [
      {"key": "dst_city", "val": "Ostby"},
      {"key": "ref", "val": [{"frame": 1, "annotations": [{"key": "or_city", "val": "Tarn"}]}]}]}

An argument of a dialogue from elsewhere that has several values is written as several of one key.
A value that is neither one nor references stays in `extra`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from dialoom.dialogue import Act, Argument, Reference
from dialoom.formats.base.fields import Fields, Json, Place, rest, without_absent

ACTS = frozenset(
    {
        "affirm",
        "canthelp",
        "confirm",
        "goodbye",
        "greeting",
        "hearmore",
        "inform",
        "moreinfo",
        "negate",
        "no_result",
        "offer",
        "reject",
        "request",
        "request_alts",
        "request_compare",
        "sorry",
        "suggest",
        "switch_frame",
        "thankyou",
        "you_are_welcome",
    }
)
"""The twenty acts of Frames (Asri et al. 2017, table 2)."""

REFERENCES = ("ref", "read", "write")
"""The keys whose value is a list of references."""

SCALARS = (str, int, float, bool, type(None))

_ARGUMENT = frozenset({"key", "val"})
_REFERENCE = frozenset({"frame", "annotations"})
_ACT = frozenset({"name", "args"})


def read_acts(raw: list[Any], place: Place) -> tuple[Act, ...]:
    """Return the acts of a turn.

    Raises:
        FormatError: One has no name, or its arguments are no list of objects with a key.
    """
    return tuple(_read_act(act, place) for act in raw)


def _read_act(raw: Any, place: Place) -> Act:
    fields = Fields(raw, place, "act")
    name = fields.take("name", str)
    arguments = fields.take("args", list, default=[])
    return Act(name, tuple(_read_argument(a, place) for a in arguments), fields.extra())


def _read_argument(raw: Any, place: Place) -> Argument:
    fields = Fields(raw, place, "argument")
    key = fields.take("key", str)
    if "val" not in fields:
        return Argument(key, extra=fields.extra())
    value = fields.get("val")
    if type(value) in SCALARS:
        fields.take("val", *SCALARS)
        return Argument(key, (value,), extra=fields.extra())
    if key in REFERENCES and _are_references(value):
        fields.take("val", list)
        references = tuple(_read_reference(reference, place) for reference in value)
        return Argument(key, references=references, extra=fields.extra())
    return Argument(key, extra=fields.extra())


def _are_references(value: Any) -> bool:
    return (
        type(value) is list
        and bool(value)
        and all(type(each) is dict and type(each.get("frame")) is int for each in value)
    )


def _read_reference(raw: Json, place: Place) -> Reference:
    fields = Fields(raw, place, "reference")
    frame = fields.take("frame", int)
    arguments = None
    if "annotations" in fields:
        inner = fields.take("annotations", list)
        arguments = tuple(_read_argument(argument, place) for argument in inner)
    return Reference(frame, arguments, fields.extra())


def write_acts(acts: tuple[Act, ...]) -> list[Json]:
    """Return the acts of a turn as JSON."""
    return [_write_act(act) for act in acts]


def _write_act(act: Act) -> Json:
    raw = {"name": act.name, "args": [a for each in act.arguments for a in _write_argument(each)]}
    return without_absent(raw, act.extra, {"args": []}) | rest(act.extra, _ACT)


def _write_argument(argument: Argument) -> Iterator[Json]:
    besides = rest(argument.extra, _ARGUMENT)
    for value in argument.values:
        yield {"key": argument.slot, "val": value} | besides
        besides = {}
    if argument.references:
        key = argument.slot if argument.slot in REFERENCES else REFERENCES[0]
        yield {"key": key, "val": list(map(_write_reference, argument.references))} | besides
    elif not argument.values:
        odd = {"val": argument.extra["val"]} if "val" in argument.extra else {}
        yield {"key": argument.slot} | odd | besides


def _write_reference(reference: Reference) -> Json:
    raw: Json = {"frame": reference.frame}
    if reference.arguments is not None:
        inner = reference.arguments
        raw["annotations"] = [a for each in inner for a in _write_argument(each)]
    return raw | rest(reference.extra, _REFERENCE)


def dereferenced(acts: tuple[Act, ...]) -> tuple[Act, ...]:
    """Put in place of each reference what it says of the frame: acts without references."""
    return tuple(Act(act.name, tuple(_flat(act)), act.extra) for act in acts)


def _flat(act: Act) -> Iterator[Argument]:
    for argument in act.arguments:
        if not argument.references:
            yield argument
        for reference in argument.references:
            yield from reference.arguments or ()


def same(one: tuple[Act, ...], other: tuple[Act, ...]) -> bool:
    """Tell whether acts are the same; 1, 1.0 and true differ."""
    return one == other and msgspec.json.encode(one) == msgspec.json.encode(other)
