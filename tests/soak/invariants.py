"""What must hold in a study's database after any end of its server."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from sqlalchemy import Column, select

from dialoom.collect.kinds.room.sounds import of_utterance
from dialoom.collect.log import tables
from dialoom.collect.log.database import open_database
from dialoom.collect.log.facts import Recorded
from dialoom.collect.log.person import PersonKeys
from dialoom.collect.log.record import (
    Booked,
    Closed,
    Departed,
    Ended,
    Entered,
    Opened,
    Record,
    Waiting,
)
from dialoom.collect.log.store import Store
from dialoom.collect.studies import open_study
from dialoom.dialogue import COMPLETE, SYSTEM, Utterance
from tests.soak.shown import unlike
from tests.soak.world import World


def violations(where: str, world: World, spared: range = range(0)) -> tuple[list[str], int]:
    """Return what does not hold in a database that no server has, and how many records it has.

    Args:
        where: The database.
        world: What people were told, ever.
        spared: When (ms) nobody may be given up: they are waited for anew.
    """
    with open_study(where, None, 0) as opened:  # that the log can be replayed at all is the first
        records = list(opened.store.records())
        faults = list(_sounds(opened.store, records, world))
    faults += _messages(records, world)
    faults += _sequences(records)
    faults += _seats(records)
    faults += _turns(records)
    faults += _given_up(records, spared)
    faults += unlike(records, world.shown)
    faults += _claims(where, records)
    return faults, len(records)


def _messages(records: Iterable[Record], world: World) -> Iterator[str]:
    """Every acknowledged message is there, every message at most once, and no refused one."""
    counts = Counter(record.client for record in records if record.client)
    for client in world.acknowledged - counts.keys():
        yield f"message {client} was acknowledged and is lost"
    for client in world.refused & counts.keys():
        yield f"message {client} was refused and is there"
    for client, count in counts.items():
        if count > 1:
            yield f"message {client} is there {count} times"


def _sounds(store: Store, records: Iterable[Record], world: World) -> Iterator[str]:
    """Every sound that was taken is there, whole, and said at most once, where it came in."""
    recorded = {(r.stream, r.body.sound) for r in records if isinstance(r.body, Recorded)}
    counts = Counter(
        (record.stream, sound["Digest"])
        for record in records
        if isinstance(record.body, Utterance) and (sound := of_utterance(record.body)) is not None
    )
    for digest in world.brought - {digest for _, digest in recorded}:
        yield f"sound {digest} was taken and is lost"
    for (stream, digest), count in counts.items():
        if count > 1 or (stream, digest) not in recorded:
            yield f"{stream}: sound {digest} is said {count} times"
    for stream, digest in recorded:
        sent = store.blob(_number(stream), digest)
        if sent is None or hashlib.sha256(sent.data).hexdigest() != digest:
            yield f"{stream}: the bytes of sound {digest} are not there"


def _sequences(records: Iterable[Record]) -> Iterator[str]:
    """In every stream `seq` counts from 1 without gaps, in the order of writing."""
    last: defaultdict[str, int] = defaultdict(int)
    for record in records:
        if record.seq != last[record.stream] + 1:
            yield f"{record.stream}: {record.seq} follows {last[record.stream]}"
        last[record.stream] = record.seq


def _seats(records: Iterable[Record]) -> Iterator[str]:
    """Nobody has two seats at a time, in one room or in two."""
    workers: dict[int, str] = {}
    places: dict[str, str] = {}
    for record in records:
        stream, body = record.stream, record.body
        if isinstance(body, Entered):
            workers[_number(stream)] = body.worker
        elif isinstance(body, Opened):
            for one in body.seats.values():
                before = places.setdefault(workers[one], stream)
                if before != stream or list(body.seats.values()).count(one) > 1:
                    yield f"{workers[one]} got a seat in {stream}, and has one in {before}"
        elif isinstance(body, Ended | Waiting):  # the seat is left, or the partner was lost
            places.pop(workers[_number(stream)], None)


def _turns(records: Iterable[Record]) -> Iterator[str]:
    """The user speaks first, then both in turn, and nothing follows the end of a stream."""
    speaker: dict[str, str] = {}
    over: set[str] = set()
    talks: set[str] = set()  # with a bot, which may say several things
    for record in records:
        stream, body = record.stream, record.body
        if stream in over:
            yield f"{stream}: {type(body).__name__} follows the end"
        if isinstance(body, Ended | Closed):
            over.add(stream)
        elif isinstance(body, Opened) and len(body.seats) == 1:
            talks.add(stream)
        elif isinstance(body, Utterance) and stream not in talks:
            if speaker.get(stream, SYSTEM) == body.agent:
                yield f"{stream}: the {body.agent} speaks out of turn at {record.seq}"
            speaker[stream] = body.agent


def _given_up(records: Iterable[Record], spared: range) -> Iterator[str]:
    """Nobody is given up for a time that they were not waited for."""
    for record in records:
        body = record.body
        cause = body.cause if isinstance(body, Departed) else getattr(body, "outcome", None)
        if record.time in spared and cause in ("lost", "idle", "waited"):
            yield f"{record.stream}: {cause} at {record.time}, {spared.start} was the earliest"


def _number(stream: str) -> int:
    return int(stream.rpartition("/")[2])


def _claims(where: str, records: Iterable[Record]) -> Iterator[str]:
    """The claims are those of the log: what was written in one piece is there in one piece."""
    expected = Expected(records)
    rows = _rows(where)
    for name, columns, claims in (
        ("code", ("code", "assignment"), expected.codes),
        ("paid", ("key", "worker", "cents"), expected.paid),
        ("seat", ("unit", "place", "assignment", "worker"), expected.seats),
        ("blob", ("unit", "digest"), expected.sounds),
    ):
        there = {tuple(row[column] for column in columns) for row in rows[name]}
        for claim in there ^ claims:
            yield f"{name} {claim} is only in the {'table' if claim in there else 'log'}"
    seated = [(row["unit"], row["place"]) for row in rows["seat"] if row["live"]]
    for room, role in seated:
        if room in expected.closed:
            yield f"the {role} still sits in room {room}, which is closed"
    workers = Counter(row["worker"] for row in rows["seat"] if row["live"])
    for worker, count in workers.items():
        if count > 1:
            yield f"{worker} sits in {count} rooms"
    leased = {row["unit"] for row in rows["lease"] if row["live"]}
    for room in leased ^ expected.leased:
        yield f"the lease of room {room} is not what the log says"


class Expected:
    """The claims that the records of a log must have brought."""

    def __init__(self, records: Iterable[Record]) -> None:
        self.codes: set[tuple[Any, ...]] = set()
        self.paid: set[tuple[Any, ...]] = set()
        self.seats: set[tuple[Any, ...]] = set()
        self.sounds: set[tuple[Any, ...]] = set()
        self.closed: set[int] = set()
        self.leased: set[int] = set()
        workers: dict[int, str] = {}
        for record in records:
            stream, body = record.stream, record.body
            match body:
                case Entered():
                    workers[_number(stream)] = body.worker
                case Ended():
                    self.codes.add((body.code, _number(stream)))
                case Recorded():
                    self.sounds.add((_number(stream), body.sound))
                case Booked():
                    self.paid.add((body.key, body.worker, body.cents))
                case Opened():
                    room = _number(stream)
                    self.leased.add(room)
                    for role, one in body.seats.items():
                        self.seats.add((room, role, one, workers[one]))
                case Closed():
                    self.closed.add(_number(stream))
                    if body.outcome != COMPLETE:
                        self.leased.discard(_number(stream))


def _rows(where: str) -> dict[str, list[dict[str, Any]]]:
    database = open_database(where, create=False, readonly=True)
    contents: dict[str, list[dict[str, Any]]] = {}
    try:
        with database.engine.connect() as connection:
            for table in (tables.code, tables.paid, tables.seat, tables.lease, tables.blob):
                columns: list[Column[Any]] = [each for each in table.columns if each.key != "data"]
                rows = connection.execute(select(*columns)).mappings()
                contents[table.name] = [dict(row) for row in rows]
            keys = PersonKeys(lambda: connection.execute(select(tables.person)).all())
    finally:
        database.close()
    for row in (*contents["paid"], *contents["seat"]):
        row["worker"] = keys.worker(row["worker"])
    return contents
