"""A change: log records and claims that are written to the database in one transaction.

A claim is a row of a table with unique constraints, which are the study's invariants: a worker is
in one unit at a time, a seat is taken once, a code is given once, a payment is booked once, an item
is not given out more often than it is wanted. A change that violates one is not written at all.
"""

from __future__ import annotations

from dialoom.collect.log.record import Record
from dialoom.dialogue.annotation import Struct

UNDO = "undo-"
"""Prefix of the key of a row of the ledger that cancels another row."""


class Seat(Struct, frozen=True, tag="seat", kw_only=True):
    """A worker takes a seat. Unique: (unit, role); assignment, worker among the seats in use."""

    unit: int
    role: str
    assignment: int
    worker: str


class SeatLeft(Struct, frozen=True, tag="seat left", kw_only=True):
    """A worker leaves a seat, which is then no longer in use."""

    unit: int
    role: str


class Lease(Struct, frozen=True, tag="lease", kw_only=True):
    """A unit takes one of the numbers of its item. Unique: (item, number) among those in use."""

    item: str
    number: int
    unit: int


class LeaseReleased(Struct, frozen=True, tag="lease released", kw_only=True):
    """A unit ended incomplete, and its number of the item is free again."""

    item: str
    number: int


class Given(Struct, frozen=True, tag="given", kw_only=True):
    """A worker was given an item. Unique: (worker, digest): nobody gets the same texts twice."""

    worker: str
    digest: str


class Code(Struct, frozen=True, tag="code", kw_only=True):
    """A completion code. Unique: code; assignment."""

    code: str
    assignment: int


class Paid(Struct, frozen=True, tag="paid", kw_only=True):
    """A row of the ledger. Unique: key."""

    key: str
    worker: str
    cents: int


class LinkUsed(Struct, frozen=True, tag="link used", kw_only=True):
    """A single-use link was used. Unique: nonce."""

    nonce: str
    assignment: int


class Blob(Struct, frozen=True, tag="blob", kw_only=True):
    """Bytes that a worker sent in a unit, unique by unit and digest, with their media type."""

    unit: int
    digest: str
    worker: str
    media: str
    data: bytes


Claim = Seat | SeatLeft | Lease | LeaseReleased | Given | Code | Paid | LinkUsed | Blob


class Change(Struct, frozen=True):
    """Records and claims that are written in one transaction, or not at all."""

    records: tuple[Record, ...] = ()
    claims: tuple[Claim, ...] = ()

    def __add__(self, other: Change) -> Change:
        return Change(self.records + other.records, self.claims + other.claims)
