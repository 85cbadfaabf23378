"""A connection to SQLite; its errors become errors of dialoom with a message of one line."""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from dialoom.errors import FormatError, OutputError, UsageError
from dialoom.kb.fields import SqlValue, fold

MEMORY = ":memory:"

STATEMENTS = 512
"""Number of compiled statements that a connection caches."""


class Database:
    """A connection to SQLite without implicit transactions.

    One in memory is closed with the last reference to it; one to a file, by `close`.

    Args:
        path: The file, or ":memory:".
    """

    def __init__(self, path: Path | str = MEMORY, timeout: float = 5.0) -> None:
        self.path = str(path)
        self._lazy = self.path == MEMORY
        self._unopened = 0
        self._waiting: list[tuple[str, Callable[[], Sequence[SqlValue]]]] = []
        try:
            self._connection = sqlite3.connect(
                self.path,
                timeout=timeout,
                isolation_level=None,
                cached_statements=STATEMENTS,
                check_same_thread=not self._lazy,  # its last reference may be another thread's
            )
        except sqlite3.Error as error:
            self._explain(error)
        if self._lazy:
            # since Python 3.13 a connection that is collected before it is closed is warned of
            weakref.finalize(self, self._connection.close)
        try:
            self._connection.create_function("casefold", 1, fold, deterministic=True)
            # a file that is no database fails at its first read
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            self._connection.close()
            self._explain(error)

    def rows(self, sql: str, values: Sequence[SqlValue] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a statement's result."""
        if self._waiting:
            self._open()
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            self._explain(error)

    def write(self, sql: str, values: Sequence[SqlValue] = ()) -> tuple[int, int]:
        """Run a statement that writes; return the number of changed rows and the last row's id."""
        self._open()
        return self._run(sql, values)

    def write_later(self, sql: str, values: Callable[[], Sequence[SqlValue]]) -> None:
        """Run a write before the next read, with parameters computed then."""
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
        """Run a statement that writes, once for each row of parameters."""
        self._open()
        try:
            self._connection.executemany(sql, rows)
        except sqlite3.Error as error:
            self._explain(error)

    @contextmanager
    def savepoint(self, *, keep: bool) -> Iterator[None]:
        """Roll back the writes of the block: always, or with `keep` only after an error."""
        self.begin()
        final = False
        try:
            yield
            final = keep
        finally:
            self.finish(keep=final)

    def begin(self) -> None:
        """Open a savepoint, which `finish` releases or rolls back.

        A database in memory has no other readers or writers, so there the savepoint is opened at
        the first write only, and `write_later` runs at the first read. Most dialogues only search,
        or book as their last call, and so need neither.
        """
        if self._waiting:
            self._open()
        self._unopened += 1
        if not self._lazy:
            self._open()

    def _open(self) -> None:
        while self._unopened:
            self._unopened -= 1
            self._run("SAVEPOINT s")
        waiting, self._waiting = self._waiting, []
        for sql, values in waiting:
            self._run(sql, values())

    def finish(self, *, keep: bool) -> None:
        """Release or roll back the last savepoint, unless an error has ended the transaction."""
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
            # the file cannot be written now: roll back so that no transaction stays open
            self._run("ROLLBACK TO s")
            self._run("RELEASE s")
            raise

    def close(self) -> None:
        """Close the connection; committed changes are in the file."""
        self._connection.close()

    def _explain(self, error: sqlite3.Error) -> NoReturn:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            what = "another process holds the knowledge base; try again later"
            raise OutputError(f"{self.path}: {what}", code="busy") from error
        if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_IOERR")):
            raise OutputError(f"{self.path}: {error}") from error
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            what = f"no knowledge base in SQLite's format: {error}"
            raise FormatError(self.path, what, code="other-format") from error
        raise UsageError(f"{self.path}: {error}") from error
