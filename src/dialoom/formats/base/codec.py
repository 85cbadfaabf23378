"""Two-way codecs for JSON objects, which keep what the data model has no field for.

    ACT = Record("act", Act, Key("name", TEXT, needed=True), Key("args", ARGUMENTS, to="arguments"))
    act = ACT.load({"name": "inform", "args": [], "mood": "glad"}, Place(file, dialogue="1"))
    act.extra                                      # {"mood": "glad"}
    ACT.write(act)                                 # the same object, its keys in the same order

A record is a table of keys. Everything else that an object has is kept in `extra`:

    a key that is not in the table        {"mood": "glad"}           as it is
    a key of the table that is missing    {"args": None}
    a value that is of another type, or   {"time": {"value": "soon"}}
      that writing would spell otherwise
    another order of keys, and marks of   {"layout": {"order": ["name", "args"]}}
      a format (a source's own "layout" is kept inside)

Such a note is used in writing only if the field still has the value for which it was made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeGuard, TypeVar

from msgspec import UNSET

from dialoom.errors import FormatError
from dialoom.formats.base.values import (
    BrokenError,
    Codec,
    Converted,
    Json,
    UnfitError,
    Whole,
    alike,
    alike_values,
    at,
    spoken,
    unfit,
)

LAYOUT, ORDER, NOTED = "layout", "order", "value"

T = TypeVar("T")

_PLANS = 1000
"""Most sets of keys for which a record caches how to read them."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a file, for messages."""

    file: Path
    dialogue: str | None = None
    event: int | None = None

    def error(self, what: str, code: str = "") -> FormatError:
        """Return an error with the message `what` about this place."""
        return FormatError(self.file, what, dialogue=self.dialogue, event=self.event, code=code)


@dataclass(frozen=True)
class Key:
    """One key of a record.

    Attributes:
        to: The field of the model, if its name is not the key's.
        nothing: The field's value if the key is missing; UNSET if no value means that.
        needed: Whether an object without it cannot be read.
        strict: Whether a value of another type is an error, instead of a note.
        optional: Whether it is left out if the field's value is `nothing`.
    """

    name: str
    codec: Codec
    to: str = ""
    nothing: Any = None
    needed: bool = False
    strict: bool = False
    optional: bool = False

    @cached_property
    def field(self) -> str:
        """The name of the model's field."""
        return self.to or self.name

    @cached_property
    def converted(self) -> bool:
        """True if the model has the value in another form than the file."""
        return isinstance(self.codec, Converted | Whole)


class _Plan(NamedTuple):
    present: tuple[Key, ...]
    absent: tuple[Key, ...]
    unknown: tuple[str, ...]
    order: list[str] | None


class Record(Generic[T]):
    """A codec for objects, given as a table of keys.

    Args:
        make: Makes the model's value, from its fields and `extra`.
        fields: Returns the fields of a value; its attributes if None.
        ordered: Whether the order of keys is kept.
    """

    def __init__(
        self,
        what: str,
        make: Callable[..., T],
        *keys: Key,
        fields: Callable[[T], Mapping[str, Any]] | None = None,
        ordered: bool = True,
    ) -> None:
        self.what, self.make, self.keys = what, make, keys
        self.fields, self.ordered = fields, ordered
        self.names = {key.name: key for key in keys}
        self._plans: dict[tuple[str, ...], _Plan] = {}

    def load(self, raw: Any, place: Place) -> T:
        """Return the value of an object at a place; `FormatError` if it is not valid."""
        fields, extra = self.load_fields(raw, place)
        return self.make(**fields, extra=extra)

    def load_fields(self, raw: Any, place: Place, what: str = "") -> tuple[Json, Json]:
        """Return the fields and `extra` of an object; a `FormatError` names it `what`."""
        if type(raw) is not dict:
            raise place.error(f"{what or self.what}: expected an object, not {spoken(raw)}")
        try:
            return self.read_fields(raw)
        except BrokenError as error:
            raise place.error(str(error)) from error

    def read(self, raw: Any) -> T:
        """Return the value of an object."""
        if type(raw) is not dict:
            raise unfit(raw, "an object")
        fields, extra = self.read_fields(raw)
        return self.make(**fields, extra=extra)

    def read_fields(self, raw: Json) -> tuple[Json, Json]:
        """Return the fields and `extra` of an object."""
        plan = self._plan(tuple(raw))
        fields: Json = {}
        extra: Json = {}
        for key in plan.present:
            source = raw[key.name]
            try:
                fields[key.field] = key.codec.read(source)
            except UnfitError as error:
                if key.needed or key.strict:
                    raise BrokenError(f"{self.what}: {key.name!r} {error}") from error
                fields[key.field] = key.nothing
                extra[key.name] = {NOTED: source}
            unusual = key.optional and fields[key.field] == key.nothing  # left out in writing
            if unusual or (key.converted and not alike(key.codec.write(fields[key.field]), source)):
                extra[key.name] = {NOTED: source}
        for key in plan.absent:
            fields[key.field] = key.nothing
            if key.needed:
                raise BrokenError(f"{self.what}: no {key.name!r}")
            if not key.optional:
                extra[key.name] = None
        for name in plan.unknown:
            extra[name] = raw[name]
        marks: Json = {} if plan.order is None else {ORDER: plan.order}
        if LAYOUT in raw:
            marks[LAYOUT] = raw[LAYOUT]
        return fields, extra | {LAYOUT: marks} if marks else extra

    def _plan(self, members: tuple[str, ...]) -> _Plan:
        plan = self._plans.get(members)
        if plan is None:
            plan = _Plan(
                tuple(key for key in self.keys if key.name in members),
                tuple(key for key in self.keys if key.name not in members),
                tuple(name for name in members if name not in self.names and name != LAYOUT),
                self._unusual(members),
            )
            if len(self._plans) < _PLANS:
                self._plans[members] = plan
        return plan

    def _unusual(self, members: tuple[str, ...]) -> list[str] | None:
        usual = [name for name in self.names if name in members]
        usual += [name for name in members if name not in self.names and name != LAYOUT]
        usual += [LAYOUT] if LAYOUT in members else []
        return list(members) if self.ordered and list(members) != usual else None

    def write(self, value: T) -> Json:
        """Return the object of a value."""
        if self.fields is not None:
            values = self.fields(value)
        else:
            values = {key.field: getattr(value, key.field) for key in self.keys}
        extra: Json = value.extra  # type: ignore[attr-defined]
        return self.write_fields(values, extra)

    def write_fields(self, values: Mapping[str, Any], extra: Mapping[str, Any]) -> Json:
        """Return the object of some fields, with the notes in `extra`."""
        raw: Json = {}
        for key in self.keys:
            value = values[key.field]
            noted = extra.get(key.name, UNSET) if extra else UNSET
            if noted is None:
                if value == key.nothing:
                    continue
            elif noted is not UNSET and is_note(noted):
                if alike_values(self._meaning(key, noted[NOTED]), value):
                    raw[key.name] = noted[NOTED]
                    continue
            elif key.optional and value == key.nothing:
                continue
            raw[key.name] = key.codec.write(value)
        return self._with_extra(raw, extra) if extra else raw

    def _meaning(self, key: Key, source: Any) -> Any:
        try:
            return key.codec.read(source)
        except (UnfitError, BrokenError):
            return key.nothing

    def _with_extra(self, raw: Json, extra: Mapping[str, Any]) -> Json:
        raw |= {k: entry for k, entry in extra.items() if k not in self.names and k != LAYOUT}
        noted = marks(extra)
        if LAYOUT in noted:
            raw[LAYOUT] = noted[LAYOUT]
        return in_order(raw, noted.get(ORDER))


def in_order(raw: Json, order: Any) -> Json:
    """Return an object with its keys in a noted order, if there is one; other keys come last."""
    if not isinstance(order, list):
        return raw
    return {name: raw[name] for name in order if isinstance(name, str) and name in raw} | raw


def with_rest(raw: Json, rest: Any, order: Any) -> Json:
    """Return an object with the other keys that it had, in a noted order."""
    others = rest if isinstance(rest, dict) else {}
    return in_order(raw | {k: entry for k, entry in others.items() if k not in raw}, order)


def marks(extra: Mapping[str, Any]) -> Json:
    """Return the marks of the layout in `extra`."""
    return at(extra, dict, LAYOUT)


def marked(extra: Json, **new: Any) -> Json:
    """Return `extra` with further marks, without those that are empty."""
    notes = {name: note for name, note in new.items() if note}
    return extra | {LAYOUT: marks(extra) | notes} if notes else extra


def is_note(value: Any) -> TypeGuard[Json]:
    """True if a value in `extra` notes a key's value that the model cannot have as it is."""
    return isinstance(value, dict) and value.keys() == {NOTED}


WRITTEN, SEQUENCE = "written", "sequence"
"""Marks in the layout of `extra`, which no other format reads."""


def noted(raw: Mapping[str, object], output: Mapping[str, object]) -> Json:
    """Return the notes on an object, by its difference from `output`."""
    extra = {key: value for key, value in raw.items() if key not in output and key != LAYOUT}
    other = {
        key: [value, raw[key]] if key in raw else [value]
        for key, value in output.items()
        if key not in raw or not alike(value, raw[key])
    }
    if LAYOUT in raw:
        other[LAYOUT] = [None, raw[LAYOUT]]
    extra = marked(extra, **{WRITTEN: other})
    usual = list(restored(output, extra))
    return extra if usual == list(raw) else marked(extra, **{SEQUENCE: list(raw)})


def restored(output: Mapping[str, object], extra: Mapping[str, object]) -> Json:
    """Return the object that is written, with the notes of the one that was read."""
    whole = dict(output)
    notes = marks(extra).get(WRITTEN)
    for key, note in notes.items() if isinstance(notes, dict) else ():
        if isinstance(note, list) and note and alike(whole.get(key), note[0]):
            whole.pop(key, None)
            if len(note) > 1:
                whole[key] = note[1]
    whole |= {k: v for k, v in extra.items() if k not in whole and k != LAYOUT}
    return in_order(whole, marks(extra).get(SEQUENCE))
