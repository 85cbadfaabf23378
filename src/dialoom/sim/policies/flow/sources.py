"""Sources of a goal's values: the rows that a call searches, or the free keys.

Each source fills the slots of one call with values that fit together and fit those already set; it
can also change them so that the call fails.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.flow.program import TaskProgram
from dialoom.kb.domain import Domain
from dialoom.schema.call import Call
from dialoom.schema.flow import reachable
from dialoom.sim.core.rng import SeededRng

TRIES = 50
"""Most draws for values with some property before it counts as impossible."""


class Source(ABC):
    """Fills the slots of one call."""

    def __init__(
        self,
        call: Call,
        slots: Mapping[str, str],
        domains: Mapping[str, Domain | None],
        rows: list[Item],
    ) -> None:
        self.call = call
        self._columns, self._domains, self._rows = dict(slots), domains, rows
        self.slots = self._columns.keys()

    @property
    def looked_up(self) -> Iterable[str]:
        """The slots whose values must be among the rows."""
        return ()

    def has(self, values: Mapping[str, Any]) -> bool:
        """Return True if a row has these values, if its rows are looked up."""
        return True

    def moved(self, values: Mapping[str, Any], other: Mapping[str, Any]) -> list[Item]:
        """Return columns of the rows with some values, and those that `other` gives them."""
        columns = {c: values[s] for s, c in self._columns.items() if s in values}
        part = {column: value for column, value in columns.items() if not isinstance(value, list)}
        return [part, {c: other[s] for s, c in self._columns.items() if s in other}]

    def settled(self, values: Mapping[str, Any]) -> Iterable[str]:
        """Return the slots that have only one possible value given the others."""
        return ()

    @abstractmethod
    def fill(self, values: dict[str, Any], opened: set[str], wishes: SeededRng) -> None:
        """Add values for the slots without one; `opened` slots stay without a value."""

    @abstractmethod
    def spoil(self, values: dict[str, Any], wishes: SeededRng) -> Iterable[str]:
        """Change values so that the call fails; return the slots with values that may be wrong."""


class RowSource(Source):
    """The rows of a search, find or update: some row has the values."""

    @cached_property
    def _index(self) -> dict[str, dict[Any, int]]:
        return {column: _index(self._rows, column) for column in self._columns.values()}

    @property
    def looked_up(self) -> Iterable[str]:
        """All of them."""
        return self._columns

    def has(self, values: Mapping[str, Any]) -> bool:
        """Return True if a row has these values."""
        return self._left(values) != 0

    def settled(self, values: Mapping[str, Any]) -> Iterable[str]:
        """Return all slots with one value a row, if a single row has the given values."""
        left = self._left(values)
        if left.bit_count() != 1 or left < 0:
            return ()
        row = self._rows[left.bit_length() - 1]
        return [slot for slot, column in self._columns.items() if not isinstance(row[column], list)]

    def _left(self, values: Mapping[str, Any]) -> int:
        left = -1
        for slot, column in self._columns.items():
            if slot in values:
                left &= self._having(column, values[slot])
        return left

    def _having(self, column: str, value: Any) -> int:
        having = self._index[column]
        if not isinstance(value, list):
            return having.get(value, 0)
        mask = -1
        for element in value:
            mask &= having.get(element, 0)
        return mask

    def fill(self, values: dict[str, Any], opened: set[str], wishes: SeededRng) -> None:
        """Take the values of a row that has the settled ones."""
        left = self._left(values)
        if not left or not self._rows:
            return
        row = self._rows[wishes.below(len(self._rows)) if left == -1 else _one(left, wishes)]
        for slot, column in self._columns.items():
            value = row[column]
            if slot not in values and slot not in opened and value is not None:
                values[slot] = _some(value, wishes) if isinstance(value, list) else value

    def spoil(self, values: dict[str, Any], wishes: SeededRng) -> Iterable[str]:
        """Change one value until no row fits."""
        slots = [slot for slot in self._columns if slot in values]
        for _ in range(TRIES if slots else 0):
            slot = wishes.choice(slots)
            domain = self._domains[slot]
            if domain is None:
                continue
            value = drawn(domain, wishes)
            left = self._having(self._columns[slot], value)
            for other in slots:
                if other != slot:
                    left &= self._having(self._columns[other], values[other])
            if not left:
                values[slot] = value
                return (slot,)
        return ()


ROUND = 3
"""Times on the half hour are then full hours in 15 of 16 cases, as nearly all of STAR's are."""

PARTS = frozenset((":15", ":30", ":45"))
"""Ends of times that are no full hours."""


class KeySource(Source):
    """The keys of a booking: the values are a key that no row has."""

    @cached_property
    def _taken(self) -> set[tuple[Any, ...]]:
        columns = self._columns.values()
        return {_key(row[column] for column in columns) for row in self._rows}

    @cached_property
    def _keys(self) -> list[tuple[Any, ...]]:
        return sorted(self._taken, key=repr)

    def fill(self, values: dict[str, Any], opened: set[str], wishes: SeededRng) -> None:
        """Draw a free key; the last one drawn if `TRIES` draws find none."""
        unset = {slot: self._domains[slot] for slot in self._columns if slot not in values}
        missing = {slot: domain for slot, domain in unset.items() if domain is not None}
        if not missing:
            return
        for _ in range(TRIES):
            values |= {slot: drawn(domain, wishes) for slot, domain in missing.items()}
            if _key(values.get(slot) for slot in self._columns) not in self._taken:
                return

    def spoil(self, values: dict[str, Any], wishes: SeededRng) -> Iterable[str]:
        """Set a key that is taken."""
        if self._keys:
            values.update(zip(self._columns, wishes.choice(self._keys), strict=True))
        return self._columns if self._keys else ()


def drawn(domain: Domain, wishes: SeededRng) -> Any:
    """Return a value of a domain; a time is drawn again, up to `ROUND` times, for a full hour."""
    value = domain.at(wishes.below(domain.size))
    for _ in range(ROUND):
        if not (isinstance(value, str) and value[-3:] in PARTS):
            break
        value = domain.at(wishes.below(domain.size))
    return value


def sources(
    program: TaskProgram, tables: Mapping[str, list[Item]], domains: Mapping[str, Domain | None]
) -> list[Source]:
    """Return a source for each call with inputs in the goal, in the order of the flow."""
    entries: list[Source] = []
    steps = reachable((program.first,), lambda step: step.after)
    calls = {step.call.name: step.call for step in steps if step.call is not None}
    for call in calls.values():
        rows = tables[call.table]
        whole = call.effect in ("search", "find")
        columns = rows[0].keys() if rows else ()
        slots = {
            column.slot: column.name
            for column in call.inputs
            if column.slot in domains
            and column.name in columns
            and (whole or column.name in call.key)
        }
        if call.effect == "insert" or not slots:
            continue
        kind = KeySource if call.effect == "book" else RowSource
        entries.append(kind(call, {s: c for s, c in slots.items() if s}, domains, rows))
    return entries


def _index(rows: list[Item], column: str) -> dict[Any, int]:
    masks: dict[Any, int] = {}
    for number, row in enumerate(rows):
        value = row[column]
        for element in value if isinstance(value, list) else (value,):
            masks[element] = masks.get(element, 0) | 1 << number
    return masks


def _one(rows: int, wishes: SeededRng) -> int:
    for _ in range(wishes.below(rows.bit_count())):
        rows &= rows - 1
    return (rows & -rows).bit_length() - 1


def _some(values: list[Any], wishes: SeededRng) -> list[Any]:
    first = wishes.below(len(values))
    many = 1 + wishes.below(2)
    return values[first : first + many]


def _key(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(tuple(value) if isinstance(value, list) else value for value in values)
