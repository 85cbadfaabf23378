"""What must hold in a study's database after any end of its server."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Column, select

from dialoom.collect.log import tables
from dialoom.collect.log.database import open_database
from dialoom.collect.log.record import Booked, Closed, Ended, Entered, Opened, Record
from dialoom.collect.studies import open_study
from dialoom.quality.stats.analysis import COMPLETE


def violations(where: str, acknowledged: Iterable[str]) -> tuple[list[str], int]:
    """Return what does not hold in a database that no server has, and how many records it has.

    Args:
        where: The database.
        acknowledged: Ids of all messages that were ever acknowledged; no two are the same.
    """
    with open_study(where, None, 0) as opened:  # that the log can be replayed at all is the first
        records = list(opened.store.records())
        replayed = opened.study.books.records
    found = [*_messages(records, acknowledged), *_sequences(records), *_claims(where, records)]
    if replayed != len(records):
        found.append(f"{replayed} of {len(records)} records were replayed")
    return found, len(records)


def _messages(records: Iterable[Record], acknowledged: Iterable[str]) -> Iterator[str]:
    """Every acknowledged message is there, and every message is there at most once."""
    counts = Counter(record.client for record in records if record.client)
    for client in acknowledged:
        if client not in counts:
            yield f"message {client} was acknowledged and is lost"
    for client, count in counts.items():
        if count > 1:
            yield f"message {client} is there {count} times"


def _sequences(records: Iterable[Record]) -> Iterator[str]:
    """In every stream `seq` counts from 1 without gaps, in the order of writing."""
    last: defaultdict[str, int] = defaultdict(int)
    for record in records:
        if record.seq != last[record.stream] + 1:
            yield f"{record.stream}: {record.seq} follows {last[record.stream]}"
        last[record.stream] = record.seq


def _claims(where: str, records: Iterable[Record]) -> Iterator[str]:
    """The claims are those of the log: what was written in one piece is there in one piece."""
    expected = Expected(records)
    rows = _rows(where)
    for name, columns, wanted in (
        ("code", ("code", "assignment"), expected.codes),
        ("paid", ("key", "worker", "cents"), expected.paid),
        ("seat", ("room", "role", "assignment", "worker"), expected.seats),
    ):
        there = {tuple(row[column] for column in columns) for row in rows[name]}
        for claim in there ^ wanted:
            yield f"{name} {claim} is only in the {'table' if claim in there else 'log'}"
    seated = [(row["room"], row["role"]) for row in rows["seat"] if row["live"]]
    for room, role in seated:
        if room in expected.closed:
            yield f"the {role} still sits in room {room}, which is closed"
    workers = Counter(row["worker"] for row in rows["seat"] if row["live"])
    for worker, count in workers.items():
        if count > 1:
            yield f"{worker} sits in {count} rooms"
    leased = {row["room"] for row in rows["lease"] if row["live"]}
    for room in leased ^ expected.leased:
        yield f"the lease of room {room} is not what the log says"


class Expected:
    """The claims that the records of a log must have brought."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.codes: set[tuple[Any, ...]] = set()
        self.paid: set[tuple[Any, ...]] = set()
        self.seats: set[tuple[Any, ...]] = set()
        self.closed: set[int] = set()
        self.leased: set[int] = set()
        workers: dict[int, str] = {}
        for record in records:
            number, body = int(record.stream.partition("/")[2] or 0), record.body
            match body:
                case Entered():
                    workers[number] = body.worker
                case Ended():
                    self.codes.add((body.code, number))
                case Booked():
                    self.paid.add((body.key, body.worker, body.cents))
                case Opened():
                    self.leased.add(number)
                    for role, one in body.seats.items():
                        self.seats.add((number, role, one, workers[one]))
                case Closed():
                    self.closed.add(number)
                    if body.outcome != COMPLETE:
                        self.leased.discard(number)


def _rows(where: str) -> dict[str, list[dict[str, Any]]]:
    database = open_database(where, create=False, readonly=True)
    found: dict[str, list[dict[str, Any]]] = {}
    try:
        with database.engine.connect() as connection:
            for table in (tables.code, tables.paid, tables.seat, tables.lease):
                columns: list[Column[Any]] = list(table.columns)
                rows = connection.execute(select(*columns)).mappings()
                found[table.name] = [dict(row) for row in rows]
    finally:
        database.close()
    return found
