"""A task's tables as SQLite holds them: checked names, statements, indexes.

A name is the task's own, quoted; colons mark names that are ours (`Name:folded`, `:row`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.kb.condition import Conditions
from dialoom.kb.database import Database
from dialoom.kb.drawing import check_along, draw_rows
from dialoom.kb.fields import DECLARED, LOADED, ROW, Field, SqlValue, fold, load, quote, read_field
from dialoom.kb.fields import store as store_value
from dialoom.schema.call import Table
from dialoom.schema.task import TaskSchema

Key = tuple[str, ...]

Question = tuple[str, tuple[SqlValue, ...]]
"""SQL, and what is bound in it."""

REMEMBERED = 100_000
"""How many row numbers of past searches a table in memory remembers."""

RECENT = 5_000
"""How many rows that other statements gave it remembers."""


class Memory:
    """Answers to questions to a table: they hold as long as its rows are what they are.

    Attributes:
        numbers: Condition and what is bound in it to the numbers of the rows that meet it.
        rows: Statement and what is bound in it to the rows it gives.
    """

    __slots__ = ("_counted", "_held", "numbers", "rows")

    def __init__(self) -> None:
        self.numbers: dict[Question, list[int]] = {}
        self.rows: dict[Question, list[tuple[Any, ...]]] = {}
        self._counted = self._held = 0

    def note_numbers(self, question: Question, found: list[int]) -> None:
        """Remember what a search found."""
        if self._counted < REMEMBERED:
            self._counted += len(found) + 1
            self.numbers[question] = found

    def note_rows(self, question: Question, found: list[tuple[Any, ...]]) -> None:
        """Remember what a statement gave."""
        if self._held > RECENT:
            self._held = 0
            self.rows.clear()
        self._held += len(found) + 1
        self.rows[question] = found


class Relation:
    """One table: its columns, the statements on it, and rows on their way in and out.

    Attributes:
        name: The table's name.
        seed: The number its rows and answers are drawn with.
        fields: The columns by name, in their order.
        keys: What picks one row.
        conditions: Compiles constraints on it.
        memory: What is remembered of its rows as they are; None where others may write them too.
    """

    def __init__(self, table: Table, task: TaskSchema, seed: int) -> None:
        self.name, self.seed = table.name, seed
        self.fields = _read_fields(table, task)
        self._count = table.rows
        calls = [call for call in task.calls.values() if call.table == table.name]
        self.keys: tuple[Key, ...] = tuple(dict.fromkeys(call.key for call in calls if call.key))
        for name in (name for key in self.keys for name in key):
            if name not in self.fields:
                raise UnknownNameError(f"key column of {table.name}", name, self.fields)
        asked = {column.name for call in calls for column in call.inputs}
        self._filtered = [name for name in self.fields if name in asked]
        self.conditions = Conditions(self.fields)
        self.sql = quote(self.name)
        self._loaded = [f for f in self.fields.values() if f.kind in LOADED]
        self.memory: Memory | None = None
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
        """Remember answers from now on: nobody else can write."""
        self.memory = Memory()

    def forget(self) -> None:
        """Ask anew from now on: something is written. What was known before may be put back."""
        if self.memory is not None:
            self.memory = Memory()

    def ask(
        self, database: Database, sql: str, values: Sequence[SqlValue]
    ) -> list[tuple[Any, ...]]:
        """Return the rows that a statement on this table alone gives."""
        memory = self.memory
        if memory is None:
            return database.rows(sql, values)
        question = (sql, tuple(values))
        found = memory.rows.get(question)
        if found is None:
            found = database.rows(sql, values)
            memory.note_rows(question, found)
        return found

    def numbers(self, database: Database, where: str, values: Sequence[SqlValue]) -> list[int]:
        """Return the numbers of the rows that meet a condition, in their order."""
        memory, question = self.memory, (where, tuple(values))
        found = None if memory is None else memory.numbers.get(question)
        if found is None:
            found = [number for (number,) in database.rows(self._select_numbers(where), values)]
            if memory is not None:
                memory.note_numbers(question, found)
        return found

    def last(self, database: Database) -> int:
        """Return the largest number of a row, or 0 where there is none."""
        [(number,)] = self.ask(database, f"SELECT max({quote(ROW)}) FROM {self.sql}", ())
        return number or 0

    def _select_numbers(self, where: str) -> str:
        row = f"t.{quote(ROW)}"
        return f"SELECT {row} FROM {self.sql} AS t WHERE {where} ORDER BY {row}"

    @cached_property
    def _select_row(self) -> str:
        return f"SELECT {self.columns} FROM {self.sql} AS t WHERE t.{quote(ROW)} = ?"

    def row(self, database: Database, number: int) -> Item:
        """Return the row of a number."""
        [values] = self.ask(database, self._select_row, (number,))
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


def _read_fields(table: Table, task: TaskSchema) -> dict[str, Field]:
    fields = {column.name: read_field(column, task.slots) for column in table.columns}
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
