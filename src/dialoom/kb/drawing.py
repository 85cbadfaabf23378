"""Rows drawn from what the columns may hold: seeded, plausible, and unique where a key demands it.

    draw_rows(fields, keys=[("Name", "Time")], count=60, seed=("bookings", 1))

A key space smaller than the number of rows wanted gives as many rows as fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product, repeat
from math import prod
from typing import Any

from dialoom.errors import UsageError
from dialoom.kb.domain import numbers
from dialoom.kb.fields import Field, match

TRIES = 20
"""How often a row is drawn again because its key is taken, before it is given up."""

Row = dict[str, Any]
Places = Mapping[str, int]
Key = tuple[str, ...]


def draw_rows(
    fields: Mapping[str, Field], keys: Iterable[Key], count: int, seed: tuple[Any, ...]
) -> list[Row]:
    """Return up to `count` rows with no two alike in any of the keys.

    Raises:
        UsageError: A column has nothing to draw from.
    """
    drawn = numbers(*seed)
    unique = sorted({key for key in keys if key})
    taken: dict[Key, set[tuple[Any, ...]]] = {key: set() for key in unique}
    rows: list[Row] = []
    for places in _candidates(fields, unique, count, drawn):
        if len(rows) == count:
            break
        row = _fresh(fields, taken, places, len(rows), drawn)
        if row is not None:
            rows.append(row)
    return rows


def draw_row(fields: Iterable[Field], drawn: Iterator[int], places: Places, serial: int = 0) -> Row:
    """Return one row: values at the given places, or else where the numbers say.

    Args:
        fields: The columns to fill.
        drawn: Numbers to draw with.
        places: Column to a place that is settled already.
        serial: The place of columns that number the rows.
    """
    settled = dict(places)
    row: Row = {}
    for field in fields:
        if field.name not in settled:
            settled[field.name] = _place(field, settled, serial, drawn)
        row[field.name] = field.values.at(settled[field.name])
    return row


def _place(field: Field, settled: dict[str, int], serial: int, drawn: Iterator[int]) -> int:
    if field.serial:
        return serial
    if field.along is None:
        return next(drawn)
    if field.along not in settled:  # the column it follows comes later
        settled[field.along] = next(drawn)
    return settled[field.along]


def _candidates(
    fields: Mapping[str, Field], keys: Sequence[Key], count: int, drawn: Iterator[int]
) -> Iterator[Places]:
    """Settled places to try a row with: a small key space in full, of a large one nothing."""
    sizes = {key: _size(fields, key) for key in keys}
    small = min(keys, key=lambda key: sizes[key], default=None)
    if small is None or sizes[small] > 2 * count:
        return repeat({}, count)
    spaces = [range(fields[name].values.size) for name in small]
    everything = _shuffled(list(product(*spaces)), drawn)
    return (dict(zip(small, places, strict=True)) for places in everything)


def _size(fields: Mapping[str, Field], key: Key) -> int:
    return prod(fields[name].values.size for name in key)


def _shuffled(places: list[tuple[int, ...]], drawn: Iterator[int]) -> list[tuple[int, ...]]:
    for last in range(len(places) - 1, 0, -1):
        other = next(drawn) % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def _fresh(
    fields: Mapping[str, Field],
    taken: dict[Key, set[tuple[Any, ...]]],
    places: Places,
    serial: int,
    drawn: Iterator[int],
) -> Row | None:
    """A row whose keys are all free, which then are taken."""
    for _ in range(TRIES):
        row = draw_row(fields.values(), drawn, places, serial)
        found = {key: tuple(_compared(fields[name], row[name]) for name in key) for key in taken}
        if all(found[key] not in used for key, used in taken.items()):
            for key, used in taken.items():
                used.add(found[key])
            return row
    return None


def _compared(field: Field, value: Any) -> Any:
    return repr(value) if field.kind == "list" else match(field, value)


def check_along(fields: Mapping[str, Field]) -> None:
    """Refuse columns that follow one that is missing or has fewer or more values.

    Raises:
        UsageError: One does.
    """
    for field in fields.values():
        if field.along is None:
            continue
        other = fields.get(field.along)
        if other is None or other.along or other.values.size != field.values.size:
            raise UsageError(
                f"column {field.name} goes along with {field.along}, which has to be a column "
                "of its own choice with as many values"
            )
