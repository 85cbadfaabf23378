"""Read a study's log, and the secret it was made with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Executable, Select, func, literal, select

from dialoom.collect.log.change import Blob
from dialoom.collect.log.database import StudyDatabase
from dialoom.collect.log.person import PersonKeys
from dialoom.collect.log.record import PERSON, STUDY, Changed, Record, kind
from dialoom.collect.log.tables import (
    RECORDS,
    blob,
    blob_place,
    meta,
    needed,
    person,
    record,
    record_of,
)
from dialoom.errors import FormatError

PAGE = 10_000
"""Records read at once."""

RECENT = 10_000
"""Records at the end of the log that are always read when a study starts."""


class LogReader:
    """Reads a database that has a study's tables; `place` is its name in messages."""

    def __init__(self, database: StudyDatabase) -> None:
        self._database = database
        self.place = database.place
        self._keys = PersonKeys(lambda: self._read(select(person)))

    def records(self) -> Iterator[Record]:
        """Yield the log in written order, page by page."""
        return self._pages(RECORDS)

    def needed(self) -> Iterator[Record]:
        """Yield the records that a study is restored from.

        That is the log without the records of units that are over and whose people have ended.
        The last `RECENT` records are always included: clients may not have received them yet.

        Raises:
            FormatError: Records are missing within a stream.
            DialoomError: The log cannot be read.
        """
        seq, streams = record.c.seq, select(record.c.stream).group_by(record.c.stream)
        for [stream] in self._read(streams.having(func.max(seq) != func.count()).limit(1)):
            raise FormatError(
                self._database.place, f"records of {stream} are missing in its log", code="damaged"
            )
        [[last]] = self._read(select(func.max(record.c.id)))
        yield from self._pages(RECORDS.where(needed((last or 0) - RECENT)))

    def _pages(self, query: Select[Any]) -> Iterator[Record]:
        last, page = 0, query.order_by(record.c.id).limit(PAGE)
        while rows := self._read(page.where(record.c.id > last)):
            last = rows[-1][0]
            yield from (record_of(row, self._keys) for row in rows)

    def stream(self, name: str) -> list[Record]:
        """Return the log of one stream."""
        rows = self._read(RECORDS.where(record.c.stream == name).order_by(record.c.seq))
        return [record_of(row, self._keys) for row in rows]

    def of(self, worker: str) -> Iterator[Record]:
        """Yield the records that are a worker's own, in the order they were written."""
        number = self._keys.number(worker)
        if number is not None:
            people = literal(" ") + record.c.people + " "
            yield from self._pages(RECORDS.where(people.contains(f" {number} ")))

    def blob(self, unit: int, digest: str) -> Blob | None:
        """Return what was sent in a unit; None where nothing was, or its worker was erased."""
        query = select(blob).where(blob.c.unit == unit, blob.c.digest == digest)
        return next(map(self._blob, self._read(query)), None)

    def blobs_of(self, worker: str) -> Iterator[Blob]:
        """Yield all that a worker sent."""
        theirs = blob.c.worker == self._keys.alias(worker)
        places = select(blob.c.unit, blob.c.digest).where(theirs).order_by(blob.c.unit)
        yield from (upload for place in self._read(places) if (upload := self.blob(*place)))

    def _blob(self, row: Sequence[Any]) -> Blob | None:
        unit, digest, alias, media, sealed = row
        number = int(alias.removeprefix(PERSON))
        data = self._keys.open(sealed, [number], blob_place(unit, digest))
        if data is None:
            return None
        return Blob(
            unit=unit, digest=digest, worker=self._keys.worker(alias), media=media, data=data
        )

    def changes(self) -> Iterator[Record]:
        """Yield the records that change the study's settings, in order."""
        of_study = record.c.stream == STUDY
        yield from self._pages(RECORDS.where(of_study, record.c.kind == kind(Changed)))

    def secret(self) -> bytes:
        """Return the 32 random bytes the study was made with, which sign its links."""
        [[value]] = self._read(select(meta.c.value).where(meta.c.key == "secret"))
        return bytes.fromhex(value)

    def _read(self, query: Executable) -> Sequence[Any]:
        database = self._database
        with database.explained(), database.turn, database.engine.connect() as connection:
            return connection.execute(query).all()
