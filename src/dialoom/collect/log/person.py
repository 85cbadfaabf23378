"""Encrypts workers' ids and personal data with a key for each worker, so that they can be erased.

    keys = PersonKeys(read)                          # the rows of the table `person`
    keys.meet(["w1"])                                # gives w1 a key and the alias person:1
    sealed = keys.seal(b"text", ["w1"], b"unit/3 7")
    keys.open(sealed, [1], b"unit/3 7")              # None once w1 was erased

The log has an alias for each worker, `person:1`. Their id and key are one row of another table;
clearing that row erases the person although the log never changes. A text is encrypted ("sealed")
with AES-256-GCM (NIST SP 800-38D), with a random nonce of 96 bits before it and its place in the
log as associated data. A text made from several people's work is encrypted with each one's key.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.structs import replace

from dialoom.collect.log.record import (
    PERSON,
    Answered,
    Body,
    Booked,
    Changed,
    Closed,
    Entered,
    Erased,
    Offered,
    Qualified,
    Reviewed,
    Started,
    is_named,
)

KEY_BITS = 256
NONCE = 12
"""Bytes of a nonce."""

INVITE = "invite"
"""The key of an assignment's `source` for the nonce of its single-use link."""

_ID = b"id"
"""The associated data of an encrypted id."""


class PersonRow(NamedTuple):
    """A row of the table: a number, a key and an encrypted id, both None for an erased person."""

    number: int
    key: bytes | None
    id: bytes | None


class PersonKeys:
    """The aliases, ids and keys of a study's workers, in memory; `unwritten` has new rows."""

    def __init__(self, read: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self._read = read
        self._numbers: dict[str, int] = {}
        self._ids: dict[int, str] = {}
        self._ciphers: dict[int, AESGCM] = {}
        self._last = 0
        self.unwritten: list[PersonRow] = []
        self.load()

    def load(self) -> None:
        """Read the table again; people who are not in it are dropped from memory."""
        rows = [PersonRow(*row) for row in self._read()]
        ciphers = {row.number: AESGCM(row.key) for row in rows if row.key is not None}
        ids = {
            row.number: _open(ciphers[row.number], row.id, _ID).decode("utf-8", "surrogatepass")
            for row in rows
            if row.id is not None
        }
        self._last = max((row.number for row in rows), default=self._last)
        self._ciphers, self._ids, self.unwritten = ciphers, ids, []
        self._numbers = {worker: number for number, worker in ids.items()}

    def meet(self, workers: Iterable[str]) -> None:
        """Give a number and a key to each worker who has none."""
        for worker in workers:
            if worker not in self._numbers and is_named(worker):
                self._last += 1
                key = AESGCM.generate_key(KEY_BITS)
                cipher = AESGCM(key)
                sealed = _seal(cipher, worker.encode("utf-8", "surrogatepass"), _ID)
                self.unwritten.append(PersonRow(self._last, key, sealed))
                self._numbers[worker], self._ids[self._last] = self._last, worker
                self._ciphers[self._last] = cipher

    def forget(self, workers: Iterable[str]) -> None:
        """Drop the keys of workers."""
        for worker in workers:
            number = self._numbers.pop(worker, None)
            if number is not None:
                del self._ids[number], self._ciphers[number]

    def number(self, worker: str) -> int | None:
        """Return a worker's number; None for one without a key."""
        return self._numbers.get(worker)

    def alias(self, worker: str) -> str:
        """Return a worker's alias in the log; the same id for programs and erased people."""
        number = self._numbers.get(worker)
        return worker if number is None else f"{PERSON}{number}"

    def worker(self, alias: str) -> str:
        """Return the worker id of an alias; the alias itself where the person was erased."""
        if not alias.startswith(PERSON):
            return alias
        number = int(alias.removeprefix(PERSON))
        self._meet_later(number)
        return self._ids.get(number, alias)

    def _meet_later(self, number: int) -> None:
        """Read the table again if another process has added a person of this number since."""
        if number > self._last:
            self.load()

    def seal(self, text: bytes, workers: Iterable[str], place: bytes) -> bytes:
        """Return a text encrypted with the keys of met workers; `place` is the associated data."""
        for worker in workers:
            text = _seal(self._ciphers[self._numbers[worker]], text, place)
        return text

    def open(self, sealed: bytes, numbers: Sequence[int], place: bytes) -> bytes | None:
        """Return the plain text of an encrypted one; None where one of its people was erased."""
        for number in reversed(numbers):
            self._meet_later(number)
            cipher = self._ciphers.get(number)
            if cipher is None:
                return None
            sealed = _open(cipher, sealed, place)
        return sealed


def _seal(cipher: AESGCM, text: bytes, place: bytes) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + cipher.encrypt(nonce, text, place)


def _open(cipher: AESGCM, sealed: bytes, place: bytes) -> bytes:
    return cipher.decrypt(sealed[:NONCE], sealed[NONCE:], place)


_NAMING = (Entered, Booked, Qualified, Offered, Started, Changed)
"""The types of bodies that contain worker ids; most records have none of them."""


# --- bodies -------------------------------------------------------------------------------------


def workers_of(body: Body) -> tuple[str, ...]:
    """Return the worker ids in a body."""
    ids: list[str] = []

    def note(worker: str) -> str:
        ids.append(worker)
        return worker

    renamed(body, note)
    return tuple(ids)


def renamed(body: Body, name: Callable[[str], str]) -> Body:
    """Return a body with each worker id replaced by `name(id)`."""
    if not isinstance(body, _NAMING):
        return body
    match body:
        case Entered(worker=worker) | Booked(worker=worker) | Qualified(worker=worker):
            return replace(body, worker=name(worker))
        case Offered(item=item) if "participants" in item:
            return Offered({**item, "participants": [name(one) for one in item["participants"]]})
        case Started(settings=settings) | Changed(settings=settings):
            return replace(body, settings=_settings(settings, name))
    return body


def _settings(settings: Mapping[str, Any], name: Callable[[str], str]) -> dict[str, Any]:
    copy = dict(settings)
    if copy.get("wizards"):
        copy["wizards"] = [name(one) for one in copy["wizards"]]
    if not isinstance(copy.get("stages", ""), str):
        copy["stages"] = [
            {**stage, "only": [name(one) for one in stage["only"]]} if "only" in stage else stage
            for stage in copy["stages"]
        ]
    return copy


def skeleton(body: Body) -> Body:
    """Return the unencrypted part of a body, from which a study is restored after an erasure."""
    match body:
        case Entered(source=source):
            new_source = {INVITE: source[INVITE]} if INVITE in source else {}
            return replace(body, source=new_source)
        case Answered():
            return replace(body, comment=None)
        case Closed():
            return replace(body, result=None)
        case Booked() | Reviewed():
            return replace(body, reason="")
        case Offered(item=item):
            return Offered({**item, "content": None, "digest": "", "target": 0})
        case Qualified():
            return body
    return Erased()
