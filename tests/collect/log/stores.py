"""What the tests of the store share: changes to write, and a writer that can be held up."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future

import psycopg
from sqlalchemy import Connection

from dialoom.collect.log.change import Change, Claim
from dialoom.collect.log.record import Record
from dialoom.collect.log.store import Point, Store
from dialoom.dialogue import Utterance

CHILD = "tests.collect.log.store_child"


def line(stream: str, seq: int, *, client: str = "", text: str = "Hi", author: str = "u") -> Record:
    return Record(
        stream, seq, 1_700_000_000_000 + seq, author, client, Utterance(agent="user", text=text)
    )


def said(stream: str, seq: int, client: str = "") -> Change:
    return Change((line(stream, seq, client=client),))


def claims(*of: Claim) -> Change:
    return Change(claims=of)


def outcomes(futures: Sequence[Future[None]]) -> list[type[BaseException] | None]:
    return [type(error) if (error := future.exception()) else None for future in futures]


class Gate:
    """Counts the groups that begin, and lets none begin while it is shut."""

    def __init__(self) -> None:
        self.groups = 0
        self.begun, self.open = threading.Event(), threading.Event()
        self.open.set()

    def __call__(self, point: Point, connection: Connection | None = None) -> None:
        if point == "begin":
            self.groups += 1
            self.begun.set()
            self.open.wait()

    @contextlib.contextmanager
    def shut(self) -> Iterator[None]:
        """What is submitted within waits, all but the first, and is then one group."""
        self.begun.clear()
        self.open.clear()
        try:
            yield
        finally:
            self.open.set()


def together(store: Store, gate: Gate, changes: Sequence[Change]) -> list[Future[None]]:
    """Submit changes so that they are written in one group."""
    with gate.shut():
        first = store.submit(Change())
        gate.begun.wait()
        futures = [store.submit(change) for change in changes]
    first.result()
    return futures


def execute(where: str, sql: str) -> None:
    """Run a statement behind the store's back."""
    if where.startswith("postgresql"):
        with psycopg.connect(where) as other:
            other.execute(sql.encode())
    else:
        with contextlib.closing(sqlite3.connect(where)) as connection, connection:
            connection.execute(sql)
