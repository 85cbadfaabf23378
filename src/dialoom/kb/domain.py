"""The possible values of a slot or column, as a list whose elements are computed on demand.

    hours = slot_domain(Slot(name="time", type="time", minimum="17:00", maximum="18:00", step=30))
    hours.size            # 3
    hours.at(1)           # "17:30"
    hours.at(10**18)      # indices are taken modulo the size: any number gives a value

Random numbers come from `numbers`, a stream of hashes: it is the same on all platforms and Python
versions, and cheap enough to start again for every row.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, count
from math import comb
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import BOOK, CHECK
from dialoom.errors import UsageError
from dialoom.schema.call import Column
from dialoom.schema.slot import Slot
from dialoom.schema.values import spaced

MOST = 3
"""Most values of a slot of the type categories that are drawn together."""

SPAN = 100
"""Default maximum of a number, in steps above its minimum."""


def seed_bytes(parts: Any) -> bytes:
    """Return values as bytes for hashing; 1, 1.0 and True give different bytes."""
    return ascii(parts).encode()


def numbers(*parts: Any) -> Iterator[int]:
    """Yield endless numbers below 2**64: BLAKE2b hashes of `parts`, salted with a counter."""
    seed = seed_bytes(parts)
    for block in count():
        digest = blake2b(seed, digest_size=64, salt=block.to_bytes(8, "little")).digest()
        yield from struct.unpack("<8Q", digest)


class Domain(Struct, frozen=True):
    """Values by index, modulo `size`; rows get `serial` ones one after another."""

    size: int
    at: Callable[[int], Any]
    serial: bool = False


def listed(values: tuple[Any, ...]) -> Domain | None:
    """Return a domain of these values; None if there are none."""

    def at(place: int) -> Any:
        value = values[place % len(values)]
        return list(value) if isinstance(value, tuple) else value

    return Domain(len(values), at) if values else None


def several(values: tuple[Any, ...]) -> Domain | None:
    """Return a domain of all choices of one to three of these values; None if there are none."""
    size = sum(comb(len(values), many) for many in range(1, MOST + 1))
    return Domain(size, lambda place: list(_choices(values)[place % size])) if values else None


@lru_cache(maxsize=64)
def _choices(values: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
    return tuple(choice for many in range(1, MOST + 1) for choice in combinations(values, many))


def slot_domain(slot: Slot) -> Domain | None:
    """Return the domain of a slot; None if the slot has no values."""
    if slot.type == "category":
        return listed(tuple(slot.values))
    if slot.type == "categories":
        return several(tuple(slot.values))
    if slot.type in ("short text", "long text"):
        return listed(slot.examples)
    return _ordered(slot.type, slot.name, slot.minimum, slot.maximum, slot.step)


def column_domain(column: Column, slot: Slot | None = None) -> Domain | None:
    """Return the domain of a column: its own values, else its slot's; None without any."""
    if column.lists:
        return listed(column.lists)
    many = column.type == "categories" or (slot is not None and slot.type == "categories")
    if column.values:
        return several(column.values) if many else listed(column.values)
    if slot is not None:
        return slot_domain(_narrowed(slot, column))
    if column.type == "serial":
        first = 1 if column.minimum is None else int(column.minimum)
        return Domain(2**62, lambda place: first + place, serial=True)  # more than rows anywhere
    if column.type == "request":
        return listed((CHECK, BOOK))
    return _ordered(column.type, column.name, column.minimum, column.maximum, column.step)


def _narrowed(slot: Slot, column: Column) -> Slot:
    if column.minimum is None and column.maximum is None and column.step == 1:
        return slot
    return msgspec.structs.replace(
        slot,
        minimum=slot.minimum if column.minimum is None else column.minimum,
        maximum=slot.maximum if column.maximum is None else column.maximum,
        step=slot.step if column.step == 1 else column.step,
    )


def _ordered(kind: str, name: str, least: Any, most: Any, step: float) -> Domain | None:
    if kind == "boolean":
        return listed((False, True))
    if kind in ("integer", "amount", "number"):
        least = 0 if least is None else least
        most = least + SPAN * step if most is None else most
    elif kind not in ("date", "time") or least is None or most is None:
        return None
    series = spaced(kind, least, most, step)
    if series is None:
        form = {"date": ", written as 2021-05-03", "time": ", written as 17:30"}.get(kind, "")
        what = f"has no values from {least!r} to {most!r} in steps of {step}{form}"
        raise UsageError(f"{name} {what}", code="no-values")
    return Domain(series.size, series.at)
