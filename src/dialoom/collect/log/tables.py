"""The tables of a study's database, the same for SQLite and PostgreSQL.

`record` is the log: triggers forbid to change or delete a row, and to leave a gap in a stream's
`seq`. `person` has the keys of the workers (collect/log/person.py), `blob` the sounds that they
sent, encrypted with these keys. The other tables have the claims of collect/log/change.py, and
their constraints enforce the invariants of a study.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ColumnElement,
    Executable,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    cast,
    event,
    literal,
    or_,
    select,
    true,
)

from dialoom.collect.log.change import (
    UNDO,
    Blob,
    Change,
    Claim,
    Code,
    Given,
    Lease,
    LeaseReleased,
    LinkUsed,
    Paid,
    Seat,
    SeatLeft,
)
from dialoom.collect.log.person import PersonKeys, renamed, skeleton, workers_of
from dialoom.collect.log.record import (
    PERSON,
    SUMS,
    UNIT,
    Closed,
    Record,
    decode_body,
    encode_body,
    kind,
)

SCHEMA = 7
"""The version of the tables' layout; a database with another version is not opened."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

record = Table(
    "record",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("stream", Text, nullable=False),
    Column("seq", BigInteger, CheckConstraint("seq > 0"), nullable=False),
    Column("time", BigInteger, nullable=False),
    Column("author", Text, nullable=False),
    Column("client", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("people", Text),
    Column("sealed", LargeBinary),
    UniqueConstraint("stream", "seq"),
)
person = Table(
    "person",
    metadata,
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("key", LargeBinary),
    Column("id", LargeBinary),
)
_HAS_CLIENT = record.c.client != ""
Index(
    "record_client",
    *(record.c.stream, record.c.author, record.c.client),
    unique=True,
    sqlite_where=_HAS_CLIENT,
    postgresql_where=_HAS_CLIENT,
)
_IS_CLOSED = record.c.kind == kind(Closed)
Index("record_closed", record.c.stream, sqlite_where=_IS_CLOSED, postgresql_where=_IS_CLOSED)

seat = Table(
    "seat",
    metadata,
    Column("unit", BigInteger, primary_key=True, autoincrement=False),
    Column("place", Text, key="role", primary_key=True),
    Column("assignment", BigInteger, nullable=False),
    Column("worker", Text, nullable=False),
    Column("live", Boolean, nullable=False, default=True),
)
lease = Table(
    "lease",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("item", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("unit", BigInteger, nullable=False),
    Column("live", Boolean, nullable=False, default=True),
)
given = Table(
    "given",
    metadata,
    Column("worker", Text, primary_key=True),
    Column("digest", Text, primary_key=True),
)
code = Table(
    "code",
    metadata,
    Column("code", Text, primary_key=True),
    Column("assignment", BigInteger, nullable=False, unique=True),
)
paid = Table(
    "paid",
    metadata,
    Column("key", Text, primary_key=True),
    Column("worker", Text, nullable=False),
    Column("cents", BigInteger, nullable=False),
    CheckConstraint(f"cents >= 0 OR substr(key, 1, {len(UNDO)}) = '{UNDO}'"),
)
link_used = Table(
    "link_used",
    metadata,
    Column("nonce", Text, primary_key=True),
    Column("assignment", BigInteger, nullable=False),
)
blob = Table(
    "blob",
    metadata,
    Column("unit", BigInteger, primary_key=True, autoincrement=False),
    Column("digest", Text, primary_key=True),
    Column("worker", Text, nullable=False, index=True),
    Column("media", Text, nullable=False),
    Column("data", LargeBinary, nullable=False),
)


def _unique_while_live(table: Table, *columns: str) -> None:
    Index(
        f"{table.name}_live_{columns[0]}",
        *(table.c[name] for name in columns),
        unique=True,
        sqlite_where=table.c.live == true(),
        postgresql_where=table.c.live == true(),
    )


_unique_while_live(seat, "assignment")
_unique_while_live(seat, "worker")
_unique_while_live(lease, "item", "number")

_NEXT = "(SELECT coalesce(max(seq), 0) + 1 FROM record WHERE stream = NEW.stream)"
_GAP = "seq leaves a gap"
_FIXED = "the log only grows"

_TRIGGERS = {
    "sqlite": (
        f"""CREATE TRIGGER record_gap BEFORE INSERT ON record WHEN NEW.seq <> {_NEXT}
            BEGIN SELECT RAISE(ABORT, '{_GAP}'); END""",
        f"""CREATE TRIGGER record_update BEFORE UPDATE ON record
            BEGIN SELECT RAISE(ABORT, '{_FIXED}'); END""",
        f"""CREATE TRIGGER record_delete BEFORE DELETE ON record
            BEGIN SELECT RAISE(ABORT, '{_FIXED}'); END""",
    ),
    "postgresql": (
        # a BEFORE ROW trigger sees the rows that the same statement inserted before
        f"""CREATE FUNCTION record_gap() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF NEW.seq <> {_NEXT} THEN
                RAISE EXCEPTION '{_GAP}' USING ERRCODE = 'integrity_constraint_violation';
            END IF; RETURN NEW; END $$""",
        """CREATE TRIGGER record_gap BEFORE INSERT ON record
            FOR EACH ROW EXECUTE FUNCTION record_gap()""",
        f"""CREATE FUNCTION record_fixed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE EXCEPTION '{_FIXED}' USING ERRCODE = 'integrity_constraint_violation'; END $$""",
        """CREATE TRIGGER record_fixed BEFORE UPDATE OR DELETE OR TRUNCATE ON record
            FOR EACH STATEMENT EXECUTE FUNCTION record_fixed()""",
    ),
}
# PostgreSQL keeps samples of a column's values for its planner
for _name in ("key", "id"):
    _unsampled = DDL(f"ALTER TABLE person ALTER COLUMN {_name} SET STATISTICS 0")  # type: ignore[no-untyped-call]
    event.listen(person, "after_create", _unsampled.execute_if(dialect="postgresql"))

for _dialect, _texts in _TRIGGERS.items():
    for _text in _texts:
        _trigger = DDL(_text)  # type: ignore[no-untyped-call]
        event.listen(record, "after_create", _trigger.execute_if(dialect=_dialect))


def needed(last: int) -> ColumnElement[bool]:
    """Return the SQL condition for the records that a study is restored from.

    Left out are the records of units that were closed by the record with the id `last` and whose
    assignments have all ended, except for `SUMS`. Until an assignment ends, its page may repeat a
    message, and the record of the first one has to be known.
    """
    here = seat.c.assignment.not_in(select(code.c.assignment))
    theirs = select(literal(UNIT, Text) + cast(seat.c.unit, Text)).where(here)
    over = select(record.c.stream).where(
        _IS_CLOSED, record.c.id <= last, record.c.stream.not_in(theirs)
    )
    sums = record.c.kind.in_([kind(each) for each in SUMS])
    return or_(record.c.id > last, sums, record.c.stream.not_in(over))


_TABLES: dict[type[Claim], Table] = {
    Seat: seat,
    SeatLeft: seat,
    Lease: lease,
    LeaseReleased: lease,
    Given: given,
    Code: code,
    Paid: paid,
    LinkUsed: link_used,
    Blob: blob,
}
_RELEASES = (SeatLeft, LeaseReleased)
"""The claims that end others: live rows with the same values are set to not live."""

Row = dict[str, Any]

WORKER = "worker"
"""The column of a claim that holds a worker's id."""


def _claim_row(claim: Claim, keys: PersonKeys) -> Row:
    """Return the parameters of a claim's statement.

    Those of an update end in `_`: SQLAlchemy reserves the columns' own names for new values.
    """
    end = "_" if isinstance(claim, _RELEASES) else ""
    row = {f"{name}{end}": getattr(claim, name) for name in claim.__struct_fields__}
    if isinstance(claim, Blob):
        row["data"] = keys.seal(claim.data, [claim.worker], blob_place(claim.unit, claim.digest))
    if WORKER in row:
        row[WORKER] = keys.alias(row[WORKER])
    return row


def blob_place(unit: int, digest: str) -> bytes:
    """Return the associated data of an encrypted blob: its place in the database."""
    return f"{unit} {digest}".encode()


def _claim_statement(kind: type[Claim]) -> Executable:
    table = _TABLES[kind]
    if kind not in _RELEASES:
        return table.insert()
    same = (table.c[name] == bindparam(f"{name}_") for name in kind.__struct_fields__)
    return table.update().where(table.c.live == true(), *same).values(live=False)


_CLAIM_STATEMENTS = {kind: _claim_statement(kind) for kind in _TABLES}
_INSERT_RECORD = record.insert()

ERASE_PERSON: Executable = (
    person.update().where(person.c.number == bindparam("erased")).values(key=None, id=None)
)

ERASE_BLOBS: Executable = blob.delete().where(blob.c.worker == bindparam("alias"))

RECORDS = select(
    *(record.c.id, record.c.stream, record.c.seq, record.c.time, record.c.author),
    *(record.c.client, record.c.body, record.c.people, record.c.sealed),
)
"""The query for records; `record_of` reads its rows."""


def record_row(line: Record, keys: PersonKeys) -> Row:
    """Return the row of a record; the workers in it must have keys (`PersonKeys.meet`)."""
    body = renamed(line.body, keys.alias)
    text, sealed = encode_body(body), None
    if line.of:
        sealed = keys.seal(text, line.of, _place(line.stream, line.seq))
        text = encode_body(skeleton(body))
    return {
        "stream": line.stream,
        "seq": line.seq,
        "time": line.time,
        "author": line.author,
        "client": line.client,
        "kind": kind(line.body),
        "body": text.decode(),
        "people": " ".join(str(keys.number(one)) for one in line.of) or None,
        "sealed": sealed,
    }


def record_of(row: Sequence[Any], keys: PersonKeys) -> Record:
    """Return the record of a row; where one of its people was erased, with what is unencrypted."""
    _, stream, seq, time, author, client, text, people, sealed = row
    of: tuple[str, ...] = ()
    if people is not None:
        numbers = [int(number) for number in people.split()]
        text = keys.open(sealed, numbers, _place(stream, seq)) or text
        of = tuple(keys.worker(f"{PERSON}{number}") for number in numbers)
    return Record(stream, seq, time, author, client, renamed(decode_body(text), keys.worker), of)


def _place(stream: str, seq: int) -> bytes:
    return f"{stream} {seq}".encode()


def people_in(changes: Iterable[Change]) -> Iterator[str]:
    """Yield the ids of the workers in the records and claims of some changes."""
    for change in changes:
        for line in change.records:
            yield from line.of
            yield from workers_of(line.body)
        for claim in change.claims:
            if isinstance(claim, Seat | Given | Paid | Blob):
                yield claim.worker


def statements(
    changes: Iterable[Change], keys: PersonKeys
) -> Iterator[tuple[Executable, list[Row]]]:
    """Yield the fewest statements that write changes, each with its rows, in order by table."""
    rows: list[Row] = []
    claims: dict[Table, list[Claim]] = {}
    for change in changes:
        rows += [record_row(line, keys) for line in change.records]
        for claim in change.claims:
            claims.setdefault(_TABLES[type(claim)], []).append(claim)
    if rows:
        yield _INSERT_RECORD, rows
    for of_table in claims.values():
        for of_kind, same in groupby(of_table, key=type):
            yield _CLAIM_STATEMENTS[of_kind], [_claim_row(claim, keys) for claim in same]
