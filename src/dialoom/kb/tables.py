"""The tables of a task in SQLite: names, statements, indexes and initial rows.

Names are those of the task, quoted; names with a colon are dialoom's own (`Name:folded`, `:row`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import UsageError, check_name, clip
from dialoom.kb.condition import Conditions
from dialoom.kb.database import Database
from dialoom.kb.drawing import Key, check_along, draw_rows
from dialoom.kb.fields import (
    DECLARED,
    LOADED,
    ROW,
    Field,
    SqlValue,
    fold,
    load,
    match,
    quote,
    read_field,
)
from dialoom.kb.fields import store as store_value
from dialoom.schema.call import Table
from dialoom.schema.task import TaskSchema

Question = tuple[str, tuple[SqlValue, ...]]
"""An SQL text and its bound values."""

REMEMBERED = 100_000
"""Most row numbers of past searches that a table keeps in memory."""

RECENT = 5_000
"""Most rows of other statements that a table keeps in memory."""


class Memory:
    """A cache of the results of a table's statements, valid until its rows change."""

    __slots__ = ("_counted", "_held", "numbers", "rows")

    def __init__(self) -> None:
        self.numbers: dict[Question, list[int]] = {}
        self.rows: dict[Question, list[tuple[Any, ...]]] = {}
        self._counted = self._held = 0

    def note_numbers(self, question: Question, matches: list[int]) -> None:
        """Keep the result of a search."""
        if self._counted < REMEMBERED:
            self._counted += len(matches) + 1
            self.numbers[question] = matches

    def note_rows(self, question: Question, matches: list[tuple[Any, ...]]) -> None:
        """Keep the result of a statement."""
        if self._held > RECENT:
            self._held = 0
            self.rows.clear()
        self._held += len(matches) + 1
        self.rows[question] = matches


class Relation:
    """A table: its columns, the statements on it, and the conversion of rows.

    Attributes:
        fields: Name to column, in order.
        keys: The sets of columns that identify a row.
        memory: The cache of results; None if other connections may write to the table.
    """

    def __init__(self, table: Table, task: TaskSchema, seed: int) -> None:
        self.name, self.seed = table.name, seed
        self.fields = {column.name: read_field(column, task.slots) for column in table.columns}
        _check_names("table", [table.name])
        _check_names(f"column of {table.name}", [column.name for column in table.columns])
        check_along(self.fields)
        self._count, self._given = table.rows, table.given
        self._task = task
        self._slots = {column.slot: column.name for column in table.columns if column.slot}
        calls = [call for call in task.calls.values() if call.table == table.name]
        self.keys: tuple[Key, ...] = tuple(dict.fromkeys(call.key for call in calls if call.key))
        for name in (name for key in self.keys for name in key):
            check_name(f"key column of {table.name}", name, self.fields)
        names = {column.name for call in calls for column in call.inputs}
        self._filtered = [name for name in self.fields if name in names]
        self.conditions = Conditions(self.fields)
        self.sql = quote(self.name)
        self._loaded = [f for f in self.fields.values() if f.kind in LOADED]
        self.memory: Memory | None = None
        self._texts = [field for field in self.fields.values() if field.kind == "text"]

    @cached_property
    def columns(self) -> str:
        """The columns that `read` expects in a row, as SQL."""
        names = (quote(ROW), *(field.sql for field in self.fields.values()))
        return ", ".join(f"t.{name}" for name in names)

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The columns for which `write` gives values."""
        names = [field.sql for field in self.fields.values()]
        return (quote(ROW), *names, *(field.compared for field in self._texts))

    @cached_property
    def places(self) -> str:
        """A question mark for each stored column, as SQL."""
        return ", ".join("?" * len(self.stored))

    def remember(self) -> None:
        """Cache results from now on; only for a table that no other connection can write to."""
        self.memory = Memory()

    def forget(self) -> None:
        """Start an empty cache, as rows change; a rollback may restore the previous one."""
        if self.memory is not None:
            self.memory = Memory()

    def ask(
        self, database: Database, sql: str, values: Sequence[SqlValue]
    ) -> list[tuple[Any, ...]]:
        """Return the result of a statement on this table alone, cached if possible."""
        memory = self.memory
        if memory is None:
            return database.rows(sql, values)
        question = (sql, tuple(values))
        records = memory.rows.get(question)
        if records is None:
            records = database.rows(sql, values)
            memory.note_rows(question, records)
        return records

    def numbers(self, database: Database, where: str, values: Sequence[SqlValue]) -> list[int]:
        """Return the numbers of the rows that meet a condition, in their order."""
        memory, question = self.memory, (where, tuple(values))
        indices = None if memory is None else memory.numbers.get(question)
        if indices is None:
            row = f"t.{quote(ROW)}"
            sql = f"SELECT {row} FROM {self.sql} AS t WHERE {where} ORDER BY {row}"
            indices = [number for (number,) in database.rows(sql, values)]
            if memory is not None:
                memory.note_numbers(question, indices)
        return indices

    def last(self, database: Database) -> int:
        """Return the largest row number; 0 for an empty table."""
        [(number,)] = self.ask(database, f"SELECT max({quote(ROW)}) FROM {self.sql}", ())
        return number or 0

    @cached_property
    def _select_row(self) -> str:
        return f"SELECT {self.columns} FROM {self.sql} AS t WHERE t.{quote(ROW)} = ?"

    def row(self, database: Database, number: int) -> Item:
        """Return the row with a number."""
        [values] = self.ask(database, self._select_row, (number,))
        return self.read(values)[1]

    def alike(self, database: Database, part: Item, most: int = -1) -> list[tuple[int, Item]]:
        """Return up to `most` rows (-1: all) with these values, with their numbers."""
        fields = [self.fields[name] for name in part]
        where = " AND ".join(f"t.{field.compared} IS ?" for field in fields) or "0"
        sql = f"SELECT {self.columns} FROM {self.sql} AS t WHERE {where}{_PAGE}"
        values = map(key_value, fields, part.values())
        return [self.read(row) for row in self.ask(database, sql, [*values, most])]

    def change(self, database: Database, number: int, row: Item) -> None:
        """Replace the row with a number."""
        settings = ", ".join(f"{name} = ?" for name in self.stored)
        sql = f"UPDATE {self.sql} SET {settings} WHERE {quote(ROW)} = ?"
        database.write_later(sql, lambda: [*self.write(row, number), number])
        self.forget()

    def empty(self, database: Database) -> Item:
        """Return a row without values but the next number in a serial column."""
        place = self.next_serial(database)
        return {
            n: each.values.at(place) if each.serial else None for n, each in self.fields.items()
        }

    def remove(self, database: Database, number: int) -> None:
        """Delete the row with a number."""
        database.write(f"DELETE FROM {self.sql} WHERE {quote(ROW)} = ?", [number])
        self.forget()

    def next_serial(self, database: Database) -> int:
        """Return the index of the next number in the serial column; 0 without such a column."""
        serial = next((field for field in self.fields.values() if field.serial), None)
        if serial is None:
            return 0
        [(last,)] = self.ask(database, f"SELECT max(t.{serial.sql}) FROM {self.sql} AS t", ())
        start: int = serial.values.at(0)
        return 0 if last is None else int(last) - start + 1

    def read(self, values: tuple[Any, ...]) -> tuple[int, Item]:
        """Return the number and the item of a selected row."""
        row = dict(zip(self.fields, values[1:], strict=True))
        for field in self._loaded:
            row[field.name] = load(field, row[field.name])
        return values[0], row

    def write(self, row: Item, number: int | None = None) -> list[SqlValue]:
        """Return a row as stored, with a new number if it has none; `UsageError` if unfit."""
        values = [store_value(field, row.get(name)) for name, field in self.fields.items()]
        folded = [fold(row.get(field.name)) for field in self._texts]
        return [number, *values, *folded]

    def draw(self) -> list[Item]:
        """Return the initial rows of the table; `UsageError` if a column has no values."""
        fits = self._fits if self._task.constrained else None
        seed = (self.seed, self.name)
        return draw_rows(self.fields, self.keys, self._count, seed, fits, self._given)

    def _fits(self, row: Item) -> bool:
        values = {slot: row[name] for slot, name in self._slots.items()}
        return next(self._task.broken(values), None) is None

    def create(self, database: Database) -> None:
        """Create the empty table, with an index for each key and each column in constraints."""
        columns = [f"{quote(ROW)} INTEGER PRIMARY KEY"]
        columns += [f"{field.sql} {DECLARED[field.kind]}" for field in self.fields.values()]
        columns += [f"{field.compared} TEXT" for field in self._texts]
        database.write(f"CREATE TABLE {self.sql} ({', '.join(columns)})")
        single = [(name,) for name in self._filtered if self.fields[name].kind != "list"]
        for place, names in enumerate(dict.fromkeys((*self.keys, *single))):
            terms = ", ".join(self.fields[name].compared for name in names)
            index = quote(f"{self.name}:{place}")
            database.write(f"CREATE INDEX {index} ON {self.sql} ({terms})")

    def insert(self, database: Database, rows: Iterable[tuple[int | None, Item]]) -> None:
        """Add rows with their numbers; a row without one gets the next."""
        self.forget()
        statement = f"INSERT INTO {self.sql} ({', '.join(self.stored)}) VALUES ({self.places})"
        database.write_all(statement, [self.write(row, number) for number, row in rows])


_PAGE = f" ORDER BY t.{quote(ROW)} LIMIT ?"


def key_value(field: Field, value: Any) -> SqlValue:
    """Return a value as a key is compared; `MismatchError` if the column has none such."""
    return store_value(field, value) if field.kind == "list" else match(field, value)


def _check_names(kind: str, names: list[str]) -> None:
    if not names:
        raise UsageError(f"no {kind}: a table needs at least one", code="too-few")
    for name in names:
        printable = name.isprintable() and bool(name)
        if not printable or ":" in name or name.lower().startswith("sqlite_"):
            raise UsageError(f"{clip(name)!r} cannot be the name of a {kind}", code="bad-name")
    if len({name.lower() for name in names}) < len(names):
        raise UsageError(
            f"two names of a {kind} differ in case only: {', '.join(sorted(names))}", code="twice"
        )
