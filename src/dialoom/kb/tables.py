"""A design's tables as SQLite holds them: checked names, statements, indexes.

A name is the task's own, quoted; colons mark names that are ours (`Name:folded`, `:row`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.kb.condition import Conditions
from dialoom.kb.database import Database
from dialoom.kb.drawing import check_along, draw_rows
from dialoom.kb.fields import DECLARED, LOADED, ROW, Field, SqlValue, fold, load, quote, read_field
from dialoom.kb.fields import store as store_value
from dialoom.schema.design import Design, Table

Key = tuple[str, ...]

REMEMBERED = 100_000
"""How many row numbers, and how many rows, a table in memory remembers of past searches."""


class Relation:
    """One table: its columns, the statements on it, and rows on their way in and out.

    Attributes:
        name: The table's name.
        seed: The number its rows and answers are drawn with.
        fields: The columns by name, in their order.
        keys: What picks one row.
        conditions: Compiles constraints on it.
    """

    def __init__(self, table: Table, design: Design, seed: int) -> None:
        self.name, self.seed = table.name, seed
        self.fields = _read_fields(table, design)
        self._count = table.rows
        calls = [call for call in design.calls.values() if call.table == table.name]
        self.keys: tuple[Key, ...] = tuple(dict.fromkeys(call.key for call in calls if call.key))
        for name in (name for key in self.keys for name in key):
            if name not in self.fields:
                raise UnknownNameError(f"key column of {table.name}", name, self.fields)
        asked = {column.name for call in calls for column in call.inputs}
        self._filtered = [name for name in self.fields if name in asked]
        self.conditions = Conditions(self.fields)
        self.sql = quote(self.name)
        self._loaded = [f for f in self.fields.values() if f.kind in LOADED]
        self._remembers = False
        self._found: dict[tuple[str, tuple[SqlValue, ...]], list[int]] = {}
        self._held = 0
        self._rows: dict[int, tuple[Any, ...]] = {}
        self._texts = [field for field in self.fields.values() if field.kind == "text"]

    @cached_property
    def columns(self) -> str:
        """What a statement selects so that `read` makes a row of it."""
        return ", ".join(f"t.{name}" for name in (quote(ROW), *map(_sql, self.fields.values())))

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The columns that `write` gives values for."""
        names = map(_sql, self.fields.values())
        return (quote(ROW), *names, *(field.compared for field in self._texts))

    @cached_property
    def places(self) -> str:
        """One question mark for each stored column."""
        return ", ".join("?" * len(self.stored))

    def remember(self) -> None:
        """Keep the answers to searches until something is written: nobody else can write."""
        self._remembers = True

    def forget(self) -> None:
        """Search anew from now on: something was written, or undone."""
        self._found.clear()
        self._held = 0
        self._rows.clear()

    def numbers(self, database: Database, where: str, values: list[SqlValue]) -> list[int]:
        """Return the numbers of the rows that meet a condition, in their order."""
        key = (where, tuple(values))
        found = self._found.get(key)
        if found is None:
            found = [number for (number,) in database.rows(self._select_numbers(where), values)]
            if self._remembers and self._held < REMEMBERED:
                self._held += len(found) + 1
                self._found[key] = found
        return found

    def _select_numbers(self, where: str) -> str:
        row = f"t.{quote(ROW)}"
        return f"SELECT {row} FROM {self.sql} AS t WHERE {where} ORDER BY {row}"

    @cached_property
    def _select_row(self) -> str:
        return f"SELECT {self.columns} FROM {self.sql} AS t WHERE t.{quote(ROW)} = ?"

    def row(self, database: Database, number: int) -> Item:
        """Return the row of a number."""
        values = self._rows.get(number)
        if values is None:
            [values] = database.rows(self._select_row, [number])
            if self._remembers and len(self._rows) < REMEMBERED:
                self._rows[number] = values
        return self.read(values)[1]

    def read(self, values: tuple[Any, ...]) -> tuple[int, Item]:
        """Return a selected row's number and the row."""
        row = dict(zip(self.fields, values[1:], strict=True))
        for field in self._loaded:
            row[field.name] = load(field, row[field.name])
        return values[0], row

    def write(self, row: Item, number: int | None = None) -> list[SqlValue]:
        """Return a row as its columns store it; a row without a number gets the next.

        Raises:
            UsageError: A column cannot hold its value.
        """
        values = [store_value(field, row.get(name)) for name, field in self.fields.items()]
        folded = [_folded(row.get(field.name)) for field in self._texts]
        return [number, *values, *folded]

    def draw(self) -> list[Item]:
        """Return the rows that the table has at the start.

        Raises:
            UsageError: A column has nothing to draw from.
        """
        return draw_rows(self.fields, self.keys, self._count, (self.seed, self.name))

    def create(self, database: Database) -> None:
        """Make the empty table, with an index for each key and each column that is asked for."""
        columns = [f"{quote(ROW)} INTEGER PRIMARY KEY"]
        columns += [f"{field.sql} {DECLARED[field.kind]}" for field in self.fields.values()]
        columns += [f"{field.compared} TEXT" for field in self._texts]
        database.write(f"CREATE TABLE {self.sql} ({', '.join(columns)})")
        for place, names in enumerate(self._indexes()):
            listed = ", ".join(self.fields[name].compared for name in names)
            index = quote(f"{self.name}:{place}")
            database.write(f"CREATE INDEX {index} ON {self.sql} ({listed})")

    def _indexes(self) -> Iterable[Key]:
        single = [(name,) for name in self._filtered if self.fields[name].kind != "list"]
        return dict.fromkeys((*self.keys, *single))

    def insert(self, database: Database, rows: Iterable[tuple[int | None, Item]]) -> None:
        """Add rows with their numbers."""
        statement = f"INSERT INTO {self.sql} ({', '.join(self.stored)}) VALUES ({self.places})"
        database.write_all(statement, [self.write(row, number) for number, row in rows])


def _sql(field: Field) -> str:
    return field.sql


def _folded(value: Any) -> str | None:
    return None if value is None else fold(str(value))


def _read_fields(table: Table, design: Design) -> dict[str, Field]:
    fields = {column.name: read_field(column, design.slots) for column in table.columns}
    _check_names("table", [table.name])
    _check_names(f"column of {table.name}", [column.name for column in table.columns])
    check_along(fields)
    return fields


def _check_names(kind: str, names: list[str]) -> None:
    """Refuse what SQLite or we keep for ourselves, and names that SQLite cannot tell apart."""
    if not names:
        raise UsageError(f"no {kind}: a table needs at least one")
    for name in names:
        printable = name.isprintable() and bool(name)
        if not printable or ":" in name or name.lower().startswith("sqlite_"):
            raise UsageError(f"{clip(name)!r} cannot be the name of a {kind}")
    if len({name.lower() for name in names}) < len(names):
        raise UsageError(f"two names of a {kind} differ in case only: {', '.join(sorted(names))}")
