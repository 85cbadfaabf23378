"""A connection to SQLite whose errors are messages of one line.

database = Database(":memory:")
database.rows("SELECT ?", ["a"])        # [("a",)]
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from dialoom.errors import DialoomError, FormatError, OutputError, UsageError
from dialoom.kb.fields import SqlValue

MEMORY = ":memory:"

STATEMENTS = 512
"""How many compiled statements a connection keeps."""


class Database:
    """A connection that opens no transaction of its own accord.

    Args:
        path: A file, or ":memory:".
        timeout: Seconds to wait for another process's lock.
    """

    def __init__(self, path: Path | str = MEMORY, timeout: float = 5.0) -> None:
        self.path = str(path)
        self._lazy = self.path == MEMORY
        self._unopened = 0
        self._waiting: list[tuple[str, Callable[[], Sequence[SqlValue]]]] = []
        try:
            self._connection = sqlite3.connect(
                self.path, timeout, isolation_level=None, cached_statements=STATEMENTS
            )
        except sqlite3.Error as error:
            self._explain(error)
        try:
            self._connection.create_function("casefold", 1, _fold, deterministic=True)
            # reading the catalogue is the first thing that fails on a file of another kind
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            self._connection.close()
            self._explain(error)

    def rows(self, sql: str, values: Sequence[SqlValue] = ()) -> list[tuple[Any, ...]]:
        """Return all rows a statement gives."""
        if self._waiting:
            self._open()
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._explain(error)

    def write(self, sql: str, values: Sequence[SqlValue] = ()) -> tuple[int, int]:
        """Run a statement that writes; return the number of changed rows and the last one's id."""
        self._open()
        return self._run(sql, values)

    def write_later(self, sql: str, values: Callable[[], Sequence[SqlValue]]) -> None:
        """Run a statement that writes before the next one that reads; never, if undone before.

        Args:
            sql: The statement.
            values: Gives what is bound in it, when it is run.
        """
        if self._unopened:
            self._waiting.append((sql, values))
        else:
            self._run(sql, values())

    def _run(self, sql: str, values: Sequence[SqlValue] = ()) -> tuple[int, int]:
        try:
            cursor = self._connection.execute(sql, values)
        except sqlite3.Error as error:
            self._explain(error)
        return cursor.rowcount, cursor.lastrowid or 0

    def write_all(self, sql: str, rows: Iterable[Sequence[SqlValue]]) -> None:
        """Run a statement that writes once for each of the rows."""
        self._open()
        try:
            self._connection.executemany(sql, rows)
        except sqlite3.Error as error:
            self._explain(error)

    @contextmanager
    def savepoint(self, *, keep: bool) -> Iterator[None]:
        """Undo what is written within: always, or with `keep` only where an error ends it."""
        self.begin()
        kept = False
        try:
            yield
            kept = keep
        finally:
            self.finish(keep=kept)

    def begin(self) -> None:
        """Begin what `finish` may undo.

        Nobody else reads or writes a database in memory, so there the savepoint waits for the first
        write, and `write_later` for the first reader: most dialogues only search, or book last.
        """
        if self._waiting:
            self._open()
        self._unopened += 1
        if not self._lazy:
            self._open()

    def _open(self) -> None:
        """Open the savepoints that waited for a write, the innermost ones; write what waited."""
        while self._unopened:
            self._unopened -= 1
            self._run("SAVEPOINT s")
        waiting, self._waiting = self._waiting, []
        for sql, values in waiting:
            self._run(sql, values())

    def finish(self, *, keep: bool) -> None:
        """End what was begun last, unless a failure has ended the whole transaction already."""
        if self._waiting and keep:
            self._open()
        self._waiting.clear()
        if self._unopened:
            self._unopened -= 1
            return
        if not self._connection.in_transaction:
            return
        try:
            if not keep:
                self._run("ROLLBACK TO s")
            self._run("RELEASE s")
        except OutputError:
            # the file cannot be written now: nothing half-done is to stay open
            self._run("ROLLBACK TO s")
            self._run("RELEASE s")
            raise

    def close(self) -> None:
        """Close the file; what was committed is in it."""
        self._connection.close()

    def _explain(self, error: sqlite3.Error) -> NoReturn:
        raise _explained(self.path, error) from error


def _explained(path: str, error: sqlite3.Error) -> DialoomError:
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return OutputError(f"{path}: another process holds the knowledge base; try again later")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR")):
        return OutputError(f"{path}: {error}")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return FormatError(path, f"no knowledge base in SQLite's format: {error}")
    return UsageError(f"{path}: {error}")


def _fold(text: str | None) -> str | None:
    return None if text is None else text.casefold()
