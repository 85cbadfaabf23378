"""The store: writes a study's log and claims to its database, in groups, by one thread.

    with Store.open("study.sqlite") as store:
        future = store.submit(Change((record,)))
        future.result()                      # it is on the disk, and survives kill -9
        list(store.records())

Changes may be submitted from many threads; the writer takes all that are queued, writes them in one
transaction and waits for the disk once. A change that breaks a constraint fails alone (`Conflict`).
When the database fails (full disk, read-only, connection lost), all submitted changes fail
(`StoreFailed`) until `recover` finds it usable again.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Literal

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import DataError, IntegrityError, SQLAlchemyError

from dialoom.collect.log.change import Change
from dialoom.collect.log.database import StudyDatabase, explained, open_database, prepare
from dialoom.collect.log.reader import LogReader
from dialoom.collect.log.record import PERSON
from dialoom.collect.log.tables import (
    ERASE_BLOBS,
    ERASE_PERSON,
    meta,
    people_in,
    person,
    statements,
)
from dialoom.errors import OutputError, clip

GROUP = 2000
"""The most changes in one transaction, which bounds the wait of the first of them."""


class Conflict(Exception):  # noqa: N818 -- an answer to a change, not a fault of ours
    """A change breaks a constraint of the study, and was not written; others were."""

    def __init__(self, change: Change, what: str) -> None:
        super().__init__(what)
        self.change = change


class StoreFailed(OutputError):  # noqa: N818 -- names a state: the store has failed
    """The database cannot be written; nothing that fails with this was acknowledged."""


_OF_ONE = (IntegrityError, DataError, ValueError, TypeError, OverflowError, msgspec.EncodeError)
"""Errors that are caused by a change, not by the database."""


_Job = tuple[Change | frozenset[str] | None, Future[None]]
"""A change, workers to erase, or None where the database is to be tried again."""

Point = Literal["begin", "before_commit", "after_commit", "after_acknowledgement"]
"""A moment of writing: a group begins, its commit, an acknowledgement is sent to a client."""


class Store(LogReader):
    """A study's database, owned by this process; others may read a `readonly` one too.

    `reached` is called at each `Point`: tests cause faults in it.
    """

    reached: Callable[[Point, Connection | None], None] = staticmethod(lambda *_: None)

    def __init__(self, database: StudyDatabase, *, create: bool, readonly: bool) -> None:
        self._queue: deque[_Job] = deque()
        self._wake = threading.Condition()
        self._failure: str | None = None
        self._closing = readonly
        with database.explained():
            self._connection = database.engine.connect() if readonly else database.writer()
            try:
                with self._connection.begin():
                    prepare(self._connection, database.place, create=create and not readonly)
            except BaseException:
                self._connection.close()
                raise
        super().__init__(database)
        self._thread: threading.Thread | None = None
        if not readonly:
            self._thread = threading.Thread(target=self._work, name="store", daemon=True)
            self._thread.start()

    @classmethod
    def open(cls, where: str | Path, *, create: bool = True, readonly: bool = False) -> Store:
        """Open the store at a path, a URL of SQLite or PostgreSQL, or ":memory:".

        Args:
            create: Whether to make the study where there is none.
            readonly: Only to read, also while a server writes.

        Raises:
            MissingDataError: There is no such folder, or no study to read.
            UsageError: The URL is wrong, the server cannot be reached, or another process has the
                study.
            FormatError: It is not a study's database, or of another version.
            OutputError: It cannot be written.
        """
        database = open_database(where, create=create, readonly=readonly)
        try:
            return cls(database, create=create, readonly=readonly)
        except BaseException:
            database.close()
            raise

    # --- writing --------------------------------------------------------------------------------

    def submit(self, change: Change) -> Future[None]:
        """Write a change, all of it or nothing; the future is done when it is on the disk.

        Changes are written in the order in which they are submitted. The future cannot be
        cancelled. It fails with `Conflict` where the change breaks a constraint, with `StoreFailed`
        where the database has failed, and with the encoder's error where a body is no JSON.
        """
        return self._ask(change)

    def erase(self, workers: Iterable[str]) -> Future[None]:
        """Erase people: drop their ids and keys, from the database's files too.

        Earlier changes are written first. The rest of the log stays as it is; what was
        theirs alone reads as `Erased`, and they themselves have an alias.

        The future fails with `OutputError` where another program holds the files, so that traces
        stay in them until this is asked for again, and with `StoreFailed` as `submit`.
        """
        return self._ask(frozenset(workers))

    def _ask(self, what: Change | frozenset[str] | None) -> Future[None]:
        future: Future[None] = Future()
        future.set_running_or_notify_cancel()
        with self._wake:
            failure = None if what is None else self._failure
            if self._closing:
                failure = "the store is not open for writing"
            if failure is None:
                self._queue.append((what, future))
                self._wake.notify()
        if failure is not None:
            future.set_exception(StoreFailed(failure))
        return future

    @property
    def failure(self) -> str | None:
        """Why nothing can be written now, in one line; None while all is well."""
        return self._failure

    def recover(self) -> None:
        """Try the database again after a failure; does nothing where there was none.

        Only the log counts then: a change that failed with `StoreFailed` may
        have been written when a connection was lost in mid-commit.

        Raises:
            StoreFailed: It still cannot be written.
        """
        self._ask(None).result()

    def _work(self) -> None:
        while group := self._next():
            what, future = group[0]
            if what is None:
                self._retry(future)
                continue
            if isinstance(what, frozenset):
                self._erase(what, future)
                continue
            try:
                outcomes = self._commit([one for one, _ in group if isinstance(one, Change)])
            except Exception as error:
                self._fail(group, error)
                continue
            for (_, future), outcome in zip(group, outcomes, strict=True):
                if outcome is None:
                    future.set_result(None)
                else:
                    future.set_exception(outcome)

    def _next(self) -> list[_Job]:
        with self._wake:
            self._wake.wait_for(lambda: self._queue or self._closing)
            group: list[_Job] = []
            while self._queue and len(group) < GROUP:
                if group and not isinstance(self._queue[0][0], Change):
                    break
                group.append(self._queue.popleft())
                if not isinstance(group[0][0], Change):
                    break
            return group

    def _commit(self, changes: Sequence[Change]) -> list[Exception | None]:
        try:
            with self._database.turn, self._connection.begin():
                self.reached("begin", self._connection)
                self._meet(changes)
                self._write(changes)
                self.reached("before_commit", None)
        except _OF_ONE as error:
            if len(changes) == 1:
                return [_conflict(changes[0], error)]
            return self._commit_each(changes)
        self._keys.unwritten.clear()
        self.reached("after_commit", None)
        return [None] * len(changes)

    def _commit_each(self, changes: Sequence[Change]) -> list[Exception | None]:
        outcomes: list[Exception | None] = []
        with self._database.turn, self._connection.begin():
            self._meet(changes)
            for change in changes:
                try:
                    with self._connection.begin_nested():
                        self._write([change])
                except _OF_ONE as error:
                    outcomes.append(_conflict(change, error))
                else:
                    outcomes.append(None)
            self.reached("before_commit", None)
        self._keys.unwritten.clear()
        self.reached("after_commit", None)
        return outcomes

    def _meet(self, changes: Sequence[Change]) -> None:
        self._keys.meet(people_in(changes))
        rows = [row._asdict() for row in self._keys.unwritten]
        if rows:
            self._connection.execute(person.insert(), rows)

    def _write(self, changes: Sequence[Change]) -> None:
        for statement, rows in statements(changes, self._keys):
            self._connection.execute(statement, rows)

    def _erase(self, workers: frozenset[str], future: Future[None]) -> None:
        numbers = map(self._keys.number, workers)
        rows = [{"erased": number} for number in numbers if number is not None]
        try:
            with self._database.turn, self._connection.begin():
                if rows:
                    self._connection.execute(ERASE_PERSON, rows)
                    aliases = [{"alias": f"{PERSON}{row['erased']}"} for row in rows]
                    self._connection.execute(ERASE_BLOBS, aliases)
            self._keys.forget(workers)
        except Exception as error:
            self._fail([(workers, future)], error)
            return
        try:
            with self._database.turn, self._database.explained():
                self._database.scrub(self._connection)
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(None)

    def _fail(self, group: list[_Job], error: Exception) -> None:
        ours = error
        if isinstance(error, SQLAlchemyError):
            ours = explained(self._database.place, error)
        what = clip(str(ours), 400)
        with self._wake:
            self._failure = what
            queued, orders = list(self._queue), [job for job in self._queue if job[0] is None]
            self._queue = deque(orders)
        for change, future in [*group, *queued]:
            if change is not None:
                failed = StoreFailed(what)
                failed.__cause__ = error
                future.set_exception(failed)

    def _retry(self, future: Future[None]) -> None:
        if self._failure is None:
            return future.set_result(None)
        try:
            self._connection.close()
            self._connection = self._database.writer()
            with self._database.turn, self._database.explained(), self._connection.begin():
                prepare(self._connection, self._database.place, create=False)
                same = meta.update().where(meta.c.key == "schema").values(value=meta.c.value)
                self._connection.execute(same)
            self._keys.load()
        except Exception as error:
            failed = StoreFailed(clip(str(error), 400))
            failed.__cause__ = error
            return future.set_exception(failed)
        self._failure = None
        return future.set_result(None)

    # --- the end --------------------------------------------------------------------------------

    def close(self) -> None:
        """Write what was submitted, and give the database back."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._connection.close()
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _conflict(change: Change, error: Exception) -> Exception:
    if not isinstance(error, IntegrityError | DataError):
        return error
    conflict = Conflict(change, clip(str(error.orig), 300))
    conflict.__cause__ = error
    return conflict
