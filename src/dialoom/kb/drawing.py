"""Draws the rows of a table: seeded values, no two rows with the same key.

draw_rows(fields, keys=[("Name",)], count=60, seed=(7, "bookings"))     # [{"Name": "Juniper"}, …]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product, repeat
from math import prod
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import UsageError
from dialoom.kb.domain import numbers
from dialoom.kb.fields import Field, match

Key = tuple[str, ...]

TRIES = 20
"""Most attempts to draw a row whose key is free."""

Places = Mapping[str, int]
"""Column to the index of its value."""


def draw_rows(
    fields: Mapping[str, Field],
    keys: Iterable[Key],
    count: int,
    seed: tuple[Any, ...],
    fits: Callable[[Item], bool] | None = None,
    first_rows: Iterable[Item] = (),
) -> list[Item]:
    """Return at most `count` rows, no two of which are equal in any of the keys.

    Args:
        fits: Returns whether a row is allowed; all are if None.
        first_rows: Rows that come first, as they are; what they lack is empty.

    Raises:
        UsageError: A column has no values to draw from.
    """
    draws = numbers(*seed)
    unique = sorted({key for key in keys if key})
    indexes: dict[Key, set[tuple[Any, ...]]] = {key: set() for key in unique}
    rows: list[Item] = [{name: row.get(name) for name in fields} for row in first_rows]
    for key, used in indexes.items():
        used.update(tuple(_compared(fields[n], row[n]) for n in key) for row in rows)
    for places in _candidates(fields, unique, count, draws):
        if len(rows) == count:
            break
        row = _fresh(fields, indexes, places, len(rows), draws, fits)
        if row is not None:
            rows.append(row)
    return rows


def draw_row(
    fields: Iterable[Field], draws: Iterator[int], places: Places, serial: int = 0
) -> Item:
    """Return a row with drawn values, except at the indices in `places`."""
    settled = dict(places)
    row: Item = {}
    for field in fields:
        if field.name not in settled:
            settled[field.name] = _place(field, settled, serial, draws)
        row[field.name] = field.values.at(settled[field.name])
    return row


def _place(field: Field, settled: dict[str, int], serial: int, draws: Iterator[int]) -> int:
    if field.serial:
        return serial
    if field.along is None:
        return field.place(next(draws))
    if field.along not in settled:  # the column it depends on comes later
        settled[field.along] = next(draws)
    return settled[field.along]


def _candidates(
    fields: Mapping[str, Field], keys: Sequence[Key], count: int, draws: Iterator[int]
) -> Iterator[Places]:
    """Yield indices for the key columns of rows to draw: all of a small key space, else none."""
    sizes = {key: prod(fields[name].values.size for name in key) for key in keys}
    small = min(keys, key=lambda key: sizes[key], default=None)
    if small is None or sizes[small] > 2 * count:
        return repeat({}, count)
    spaces = [range(fields[name].values.size) for name in small]
    everything = _shuffled(list(product(*spaces)), draws)
    return (dict(zip(small, places, strict=True)) for places in everything)


def _shuffled(places: list[tuple[int, ...]], draws: Iterator[int]) -> list[tuple[int, ...]]:
    for last in range(len(places) - 1, 0, -1):
        other = next(draws) % (last + 1)
        places[last], places[other] = places[other], places[last]
    return places


def _fresh(
    fields: Mapping[str, Field],
    indexes: dict[Key, set[tuple[Any, ...]]],
    places: Places,
    serial: int,
    draws: Iterator[int],
    fits: Callable[[Item], bool] | None,
) -> Item | None:
    for _ in range(TRIES if fits is None else TRIES * TRIES):
        row = draw_row(fields.values(), draws, places, serial)
        if fits is not None and not fits(row):
            continue
        entry = {key: tuple(_compared(fields[name], row[name]) for name in key) for key in indexes}
        if all(entry[key] not in used for key, used in indexes.items()):
            for key, used in indexes.items():
                used.add(entry[key])
            return row
    return None


def _compared(field: Field, value: Any) -> Any:
    return repr(value) if field.kind == "list" else match(field, value)


def check_along(fields: Mapping[str, Field]) -> None:
    """Raise `UsageError` unless every `along` names a column of equal size without `along`."""
    for field in fields.values():
        if field.along is None:
            continue
        other = fields.get(field.along)
        if other is None or other.along or other.values.size != field.values.size:
            raise UsageError(
                f"column {field.name} goes along with {field.along}, which has to be a column "
                "of its own choice with as many values",
                code="mismatch",
            )
