"""Snapshots of a knowledge base, and differences between two of them.

before = kb.snapshot()
kb.call("hotel_book", constraints)
print(diff(before, kb.snapshot()))
# bookings
#   + Name: Juniper, Time: 17:30
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event import Item

_ENCODER = msgspec.json.Encoder()


class Snapshot(Struct, frozen=True):
    """All rows of all tables: table to row number to row."""

    tables: dict[str, dict[int, Item]]

    @property
    def digest(self) -> str:
        """The hash of all rows; equal snapshots have equal hashes."""
        pairs = sorted((name, list(rows.items())) for name, rows in self.tables.items())
        return blake2b(_ENCODER.encode(pairs), digest_size=16).hexdigest()


class Changes(Struct, frozen=True, kw_only=True):
    """The changes of one table; a changed row is kept as it was before and after."""

    added: tuple[Item, ...] = ()
    removed: tuple[Item, ...] = ()
    changed: tuple[tuple[Item, Item], ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the changes as plain JSON data, without empty lists."""
        changed = [list(pair) for pair in self.changed]
        data = {"added": list(self.added), "removed": list(self.removed), "changed": changed}
        return {kind: rows for kind, rows in data.items() if rows}


class Difference(Struct, frozen=True):
    """The changes of each table, without unchanged tables."""

    tables: dict[str, Changes] = {}

    def __bool__(self) -> bool:
        return bool(self.tables)

    def __str__(self) -> str:
        return "\n".join(line for name in self.tables for line in self._lines(name))

    def _lines(self, name: str) -> Iterable[str]:
        changes = self.tables[name]
        yield name
        yield from (f"  + {_spell(row)}" for row in changes.added)
        yield from (f"  - {_spell(row)}" for row in changes.removed)
        for before, after in changes.changed:
            now = {key: value for key, value in after.items() if before.get(key) != value}
            was = {key: before.get(key) for key in now}
            rest = {key: value for key, value in after.items() if key not in now}
            yield f"  ~ {_spell(rest)}: {_spell(was)} -> {_spell(now)}"

    def data(self) -> dict[str, Any]:
        """Return the difference as plain JSON data, to be stored with a dialogue."""
        return {name: changes.data() for name, changes in self.tables.items()}


def _spell(row: Item) -> str:
    return ", ".join(f"{key}: {_value(value)}" for key, value in row.items())


def _value(value: Any) -> str:
    if isinstance(value, str) and value == value.strip() and value.isprintable():
        return value
    return _ENCODER.encode(value).decode()


def diff(before: Snapshot, after: Snapshot) -> Difference:
    """Return the changes from one snapshot to the other."""
    return summarise(moves_between(before, after))


def moves_between(before: Snapshot, after: Snapshot) -> list[Move]:
    """Return all rows of two snapshots, each before and after."""
    moves: list[Move] = []
    for name in {**before.tables, **after.tables}:
        old, new = before.tables.get(name, {}), after.tables.get(name, {})
        moves += [Move(name, row, old.get(row), new.get(row)) for row in sorted({*old, *new})]
    return moves


class Move(Struct, frozen=True):
    """A row before and after a change; None where the row did not exist."""

    table: str
    row: int
    before: Item | None
    after: Item | None


def summarise(moves: Iterable[Move]) -> Difference:
    """Return the overall changes of a series of moves."""
    rows: dict[tuple[str, int], tuple[Item | None, Item | None]] = {}
    for move in moves:
        key = (move.table, move.row)
        rows[key] = (rows.get(key, (move.before,))[0], move.after)
    tables: dict[str, dict[str, list[Any]]] = {}
    for (table, _), (before, after) in sorted(rows.items(), key=lambda pair: pair[0]):
        if before == after:
            continue
        lists = tables.setdefault(table, {"added": [], "removed": [], "changed": []})
        if before is None:
            lists["added"].append(after)
        elif after is None:
            lists["removed"].append(before)
        else:
            lists["changed"].append((before, after))
    changes = {}
    for name, lists in tables.items():
        changes[name] = Changes(**{kind: tuple(changed) for kind, changed in lists.items()})
    return Difference(changes)


class Session:
    """The changes of one dialogue to the knowledge base.

    Attributes:
        name: The dialogue's name, on which the row that a search returns depends.
        calls: Number of calls so far to APIs that may be out of order.
    """

    def __init__(self, name: str, *, forgetful: bool = False) -> None:
        self.name = name
        self.moves: list[Move] = []
        self.calls = 0
        self._forgetful = forgetful

    def note(self, *moves: Move) -> None:
        """Add changes; without a dialogue they are dropped, as their number has no limit."""
        if not self._forgetful:
            self.moves += moves

    def difference(self) -> Difference:
        """Return the difference that the dialogue made; it is also valid after the dialogue."""
        return summarise(self.moves) if self.moves else Difference()
