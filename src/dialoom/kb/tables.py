"""The tables of a task in SQLite: names, statements, indexes and initial rows.

Names are those of the task, quoted; names with a colon are dialoom's own (`Name:folded`, `:row`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product, repeat
from math import prod
from typing import Any

from dialoom.dialogue.event import Item
from dialoom.errors import UnknownNameError, UsageError, clip
from dialoom.kb.condition import Conditions
from dialoom.kb.database import Database
from dialoom.kb.domain import numbers
from dialoom.kb.fields import (
    DECLARED,
    LOADED,
    ROW,
    Field,
    SqlValue,
    load,
    match,
    quote,
    read_field,
)
from dialoom.kb.fields import store as store_value
from dialoom.schema.call import Table
from dialoom.schema.task import TaskSchema

Key = tuple[str, ...]

Question = tuple[str, tuple[SqlValue, ...]]
"""An SQL text and its bound values."""

REMEMBERED = 100_000
"""Most row numbers of past searches that a table keeps in memory."""

RECENT = 5_000
"""Most rows of other statements that a table keeps in memory."""


class Memory:
    """A cache of the results of a table's statements, valid until its rows change.

    Attributes:
        numbers: Condition and its parameters to the numbers of the rows that meet it.
        rows: Statement and its parameters to the rows of its result.
    """

    __slots__ = ("_counted", "_held", "numbers", "rows")

    def __init__(self) -> None:
        self.numbers: dict[Question, list[int]] = {}
        self.rows: dict[Question, list[tuple[Any, ...]]] = {}
        self._counted = self._held = 0

    def note_numbers(self, question: Question, found: list[int]) -> None:
        """Keep the result of a search."""
        if self._counted < REMEMBERED:
            self._counted += len(found) + 1
            self.numbers[question] = found

    def note_rows(self, question: Question, found: list[tuple[Any, ...]]) -> None:
        """Keep the result of a statement."""
        if self._held > RECENT:
            self._held = 0
            self.rows.clear()
        self._held += len(found) + 1
        self.rows[question] = found


class Relation:
    """A table: its columns, the statements on it, and the conversion of rows.

    Attributes:
        name: The table's name.
        seed: The seed of its rows and answers.
        fields: Name to column, in order.
        keys: The sets of columns that identify a row.
        conditions: Compiles constraints on the table.
        memory: The cache of results; None if other connections may write to the table.
    """

    def __init__(self, table: Table, task: TaskSchema, seed: int) -> None:
        self.name, self.seed = table.name, seed
        self.fields = _read_fields(table, task)
        self._count, self._given = table.rows, table.given
        self._task = task
        self._slots = {column.slot: column.name for column in table.columns if column.slot}
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
        """The columns that `read` expects in a row, as SQL."""
        return ", ".join(f"t.{name}" for name in (quote(ROW), *map(_sql, self.fields.values())))

    @cached_property
    def stored(self) -> tuple[str, ...]:
        """The columns for which `write` gives values."""
        names = map(_sql, self.fields.values())
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
        """Return the largest row number; 0 for an empty table."""
        [(number,)] = self.ask(database, f"SELECT max({quote(ROW)}) FROM {self.sql}", ())
        return number or 0

    def _select_numbers(self, where: str) -> str:
        row = f"t.{quote(ROW)}"
        return f"SELECT {row} FROM {self.sql} AS t WHERE {where} ORDER BY {row}"

    @cached_property
    def _select_row(self) -> str:
        return f"SELECT {self.columns} FROM {self.sql} AS t WHERE t.{quote(ROW)} = ?"

    def row(self, database: Database, number: int) -> Item:
        """Return the row with a number."""
        [values] = self.ask(database, self._select_row, (number,))
        return self.read(values)[1]

    def read(self, values: tuple[Any, ...]) -> tuple[int, Item]:
        """Return the number and the item of a selected row."""
        row = dict(zip(self.fields, values[1:], strict=True))
        for field in self._loaded:
            row[field.name] = load(field, row[field.name])
        return values[0], row

    def write(self, row: Item, number: int | None = None) -> list[SqlValue]:
        """Return a row's values as its columns store them; without a number it gets the next one.

        Raises:
            UsageError: A column cannot store its value.
        """
        values = [store_value(field, row.get(name)) for name, field in self.fields.items()]
        folded = [_folded(row.get(field.name)) for field in self._texts]
        return [number, *values, *folded]

    def draw(self) -> list[Item]:
        """Return the initial rows of the table.

        Raises:
            UsageError: A column has no values to draw from.
        """
        fits = self._fits if self._task.constrained else None
        seed = (self.seed, self.name)
        return draw_rows(self.fields, self.keys, self._count, seed, fits, self._given)

    def _fits(self, row: Item) -> bool:
        """Tell whether a row meets all constraints of the task."""
        values = {slot: row[name] for slot, name in self._slots.items()}
        return next(self._task.broken(values), None) is None

    def create(self, database: Database) -> None:
        """Create the empty table, with an index for each key and each column in constraints."""
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
    return None if value is None else str(value).casefold()


def _read_fields(table: Table, task: TaskSchema) -> dict[str, Field]:
    fields = {column.name: read_field(column, task.slots) for column in table.columns}
    _check_names("table", [table.name])
    _check_names(f"column of {table.name}", [column.name for column in table.columns])
    check_along(fields)
    return fields


def _check_names(kind: str, names: list[str]) -> None:
    """Raise an error for names that are reserved, or that differ only in case."""
    if not names:
        raise UsageError(f"no {kind}: a table needs at least one")
    for name in names:
        printable = name.isprintable() and bool(name)
        if not printable or ":" in name or name.lower().startswith("sqlite_"):
            raise UsageError(f"{clip(name)!r} cannot be the name of a {kind}")
    if len({name.lower() for name in names}) < len(names):
        raise UsageError(f"two names of a {kind} differ in case only: {', '.join(sorted(names))}")


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
    given: Iterable[Item] = (),
) -> list[Item]:
    """Return at most `count` rows, no two of which are equal in any of the keys.

    Args:
        fields: The columns.
        keys: The sets of columns that identify a row.
        count: The number of rows.
        seed: The seed.
        fits: Returns whether a row is allowed; all are if None.
        given: Rows that come first, as they are; what they lack is empty.

    Raises:
        UsageError: A column has no values to draw from.
    """
    drawn = numbers(*seed)
    unique = sorted({key for key in keys if key})
    taken: dict[Key, set[tuple[Any, ...]]] = {key: set() for key in unique}
    rows: list[Item] = [{name: row.get(name) for name in fields} for row in given]
    for key, used in taken.items():
        used.update(tuple(_compared(fields[n], row[n]) for n in key) for row in rows)
    for places in _candidates(fields, unique, count, drawn):
        if len(rows) == count:
            break
        row = _fresh(fields, taken, places, len(rows), drawn, fits)
        if row is not None:
            rows.append(row)
    return rows


def draw_row(
    fields: Iterable[Field], drawn: Iterator[int], places: Places, serial: int = 0
) -> Item:
    """Return one row, with values at the given indices; the others are drawn.

    Args:
        fields: The columns.
        drawn: The random numbers for the other columns.
        places: Column to the index of its value.
        serial: The index in serial columns.
    """
    settled = dict(places)
    row: Item = {}
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
    if field.along not in settled:  # the column it depends on comes later
        settled[field.along] = next(drawn)
    return settled[field.along]


def _candidates(
    fields: Mapping[str, Field], keys: Sequence[Key], count: int, drawn: Iterator[int]
) -> Iterator[Places]:
    """Yield indices for the key columns of rows to draw: all of a small key space, else none."""
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
    fits: Callable[[Item], bool] | None,
) -> Item | None:
    """Return a row whose keys are all free, and mark them as taken."""
    for _ in range(TRIES if fits is None else TRIES * TRIES):
        row = draw_row(fields.values(), drawn, places, serial)
        if fits is not None and not fits(row):
            continue
        found = {key: tuple(_compared(fields[name], row[name]) for name in key) for key in taken}
        if all(found[key] not in used for key, used in taken.items()):
            for key, used in taken.items():
                used.add(found[key])
            return row
    return None


def _compared(field: Field, value: Any) -> Any:
    return repr(value) if field.kind == "list" else match(field, value)


def check_along(fields: Mapping[str, Field]) -> None:
    """Check that every `along` names a column with as many values, which itself has no `along`.

    Raises:
        UsageError: One does not.
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
