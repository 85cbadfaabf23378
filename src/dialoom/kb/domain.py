"""What values a slot or column may have, as a numbered list that is never written out.

    hours = slot_domain(Slot(name="time", type="time", minimum="17:00", maximum="18:00", step=30))
    hours.size            # 3
    hours.at(1)           # "17:30"
    hours.at(10**18)      # places wrap around: any number gives a value

Numbers to draw with come from `numbers`, a stream of hashes: the same on every platform and in
every version of Python, and cheap enough to start anew for every row.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, count
from math import comb
from typing import Any, Literal, Protocol

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.schema.call import Column
from dialoom.schema.slot import Slot

CHECK, BOOK = "Check", "Book"
"""The values of a request type."""

MOST = 3
"""How many values of several categories are drawn together at most."""

SPAN = 100
"""How many steps a number without a maximum may be above its minimum."""

DAY = 24 * 60
"""Minutes."""


def seed_bytes(parts: Any) -> bytes:
    """Spell out values for hashing: any text, and 1, 1.0 and True apart."""
    return ascii(parts).encode()


def numbers(*parts: Any) -> Iterator[int]:
    """Yield numbers below 2**64 without end, the same ones for the same parts."""
    seed = seed_bytes(parts)
    for block in count():
        digest = blake2b(seed, digest_size=64, salt=block.to_bytes(8, "little")).digest()
        yield from struct.unpack("<8Q", digest)


class Domain(Protocol):
    """Values by their number."""

    @property
    def size(self) -> int:
        """How many values there are."""

    def at(self, place: int) -> Any:
        """Return the value at a place; places beyond the last begin again."""


class Listed(Struct, frozen=True):
    """Values as they are written down."""

    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many values there are."""
        return len(self.values)

    def at(self, place: int) -> Any:
        """Return the value at a place."""
        value = self.values[place % len(self.values)]
        return list(value) if isinstance(value, tuple) else value


class Several(Struct, frozen=True):
    """One to three of the listed values together."""

    values: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many choices of values there are."""
        return sum(comb(len(self.values), many) for many in range(1, MOST + 1))

    def at(self, place: int) -> list[Any]:
        """Return the choice at a place, its values in their written order."""
        choices = _choices(self.values)
        return list(choices[place % len(choices)])


@lru_cache(maxsize=64)
def _choices(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple(chosen for many in range(1, MOST + 1) for chosen in combinations(values, many))


class Range(Struct, frozen=True):
    """Evenly spaced whole numbers, amounts, days or minutes of the day."""

    kind: Literal["number", "date", "time"]
    start: int | Decimal
    step: int | Decimal
    size: int

    def at(self, place: int) -> int | float | str:
        """Return the value at a place, spelled as its kind is."""
        value = self.start + self.step * (place % self.size)
        if self.kind == "number":
            whole = isinstance(value, int) or value == value.to_integral_value()
            return int(value) if whole else float(value)
        if self.kind == "date":
            return date.fromordinal(int(value)).isoformat()
        hour, minute = divmod(int(value) % DAY, 60)
        return f"{hour:02}:{minute:02}"


class Serial(Struct, frozen=True):
    """Numbers given out in turn."""

    start: int = 1

    @property
    def size(self) -> int:
        """More than any table has rows."""
        return 2**62

    def at(self, place: int) -> int:
        """Return the number of the row at a place."""
        return self.start + place


def slot_domain(slot: Slot) -> Domain | None:
    """Return the values of a slot, or None where it names none."""
    if slot.type == "category":
        return _listed(tuple(slot.values))
    if slot.type == "categories":
        return Several(tuple(slot.values)) if slot.values else None
    if slot.type in ("short text", "long text"):
        return _listed(slot.examples)
    return _ordered(slot.type, slot.name, slot.minimum, slot.maximum, slot.step)


def column_domain(column: Column, slot: Slot | None = None) -> Domain | None:
    """Return the values of a column: its own, else those of its slot; None where it has none."""
    if column.lists:
        return Listed(column.lists)
    several = column.type == "categories" or (slot is not None and slot.type == "categories")
    if column.values:
        return Several(column.values) if several else Listed(column.values)
    if slot is not None:
        return slot_domain(_narrowed(slot, column))
    if column.type == "serial":
        return Serial(1 if column.minimum is None else int(column.minimum))
    if column.type == "request":
        return Listed((CHECK, BOOK))
    return _ordered(column.type, column.name, column.minimum, column.maximum, column.step)


def _narrowed(slot: Slot, column: Column) -> Slot:
    """The slot with the column's own bounds."""
    if column.minimum is None and column.maximum is None and column.step == 1:
        return slot
    return msgspec.structs.replace(
        slot,
        minimum=slot.minimum if column.minimum is None else column.minimum,
        maximum=slot.maximum if column.maximum is None else column.maximum,
        step=slot.step if column.step == 1 else column.step,
    )


def _listed(values: tuple[Any, ...]) -> Domain | None:
    return Listed(values) if values else None


def _ordered(kind: str, name: str, least: Any, most: Any, step: float) -> Domain | None:
    if kind == "boolean":
        return Listed((False, True))
    if kind in ("integer", "amount", "number"):
        return _range("number", name, *_bounds(least, most, step), step)
    if kind in ("date", "time") and least is not None and most is not None:
        return _range(kind, name, _units(kind, name, least), _units(kind, name, most), step)
    return None


def _bounds(least: Any, most: Any, step: float) -> tuple[Any, Any]:
    start = 0 if least is None else least
    return start, start + SPAN * step if most is None else most


def _range(
    kind: Literal["number", "date", "time"] | str, name: str, start: Any, end: Any, step: float
) -> Range:
    first, last, distance = (Decimal(str(value)) for value in (start, end, step))
    if kind == "time" and last < first:
        last += DAY  # past midnight
    if distance <= 0 or last < first:
        raise UsageError(f"{name} has no values from {start} to {end} in steps of {step}")
    spelled: Literal["number", "date", "time"] = "number"
    if kind in ("date", "time"):
        spelled = "date" if kind == "date" else "time"
    size = int((last - first) / distance) + 1
    if first == int(first) and distance == int(distance):  # much faster to reckon with
        return Range(spelled, int(first), int(distance), size)
    return Range(spelled, first, distance, size)


def _units(kind: str, name: str, text: Any) -> int:
    """Days or minutes."""
    try:
        if kind == "date":
            return date.fromisoformat(str(text)).toordinal()
        hour, minute = str(text).split(":")
        return int(timedelta(hours=int(hour), minutes=int(minute)).total_seconds()) // 60
    except ValueError as error:
        form = "2021-05-03" if kind == "date" else "17:30"
        raise UsageError(f"{name}: {text!r} is no {kind} such as {form}") from error
