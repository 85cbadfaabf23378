"""The keys of people: a worker's id, and what they wrote, can be read only with their own key.

    keys = PersonKeys(read)                          # the rows of the table `person`
    keys.meet(["w1"])                                # w1 is person:1 from now on
    sealed = keys.seal(b"text", ["w1"], b"unit/3 7")
    keys.open(sealed, [1], b"unit/3 7")              # None once w1 was erased

In the log a worker stands under an alias, `person:1`. Their id and their key have one row of a
table of their own: whoever clears it erases the person from a log that never changes. A text is
sealed with AES-256-GCM (NIST SP 800-38D), a nonce of 96 random bits before it, and bound to its
place in the log. What is made of several people's work is sealed with the key of each of them.
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
"""Where an assignment's source has the nonce of its single-use link."""

_ID = b"id"
"""What a sealed id is bound to."""


class PersonRow(NamedTuple):
    """A row of the table: a number, and key and sealed id, both None once they are erased."""

    number: int
    key: bytes | None
    id: bytes | None


class PersonKeys:
    """The people of a study, in memory.

    Args:
        read: Returns all rows of the table.

    Attributes:
        unwritten: Rows of people who were met since the last `written`.
    """

    def __init__(self, read: Callable[[], Iterable[Sequence[Any]]]) -> None:
        self._read = read
        self._numbers: dict[str, int] = {}
        self._ids: dict[int, str] = {}
        self._ciphers: dict[int, AESGCM] = {}
        self._last = 0
        self.unwritten: list[PersonRow] = []
        self.load()

    def load(self) -> None:
        """Take in what the table has now; who is not in it was never met."""
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
        """Return the number of a worker whom the study knows."""
        return self._numbers.get(worker)

    def alias(self, worker: str) -> str:
        """Return what the log calls a worker; programs and the erased have no other name."""
        number = self._numbers.get(worker)
        return worker if number is None else f"{PERSON}{number}"

    def worker(self, alias: str) -> str:
        """Return whom the log means; the alias itself where they were erased."""
        if not alias.startswith(PERSON):
            return alias
        number = int(alias.removeprefix(PERSON))
        self._meet_later(number)
        return self._ids.get(number, alias)

    def _meet_later(self, number: int) -> None:
        """Read the table again for people whom another process has met since."""
        if number > self._last:
            self.load()

    def seal(self, text: bytes, workers: Iterable[str], place: bytes) -> bytes:
        """Return a text sealed with the keys of workers, who were met."""
        for worker in workers:
            text = _seal(self._ciphers[self._numbers[worker]], text, place)
        return text

    def open(self, sealed: bytes, numbers: Sequence[int], place: bytes) -> bytes | None:
        """Return a sealed text; None where one of its people was erased."""
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
"""Bodies that name workers; most records are none of these."""


# --- bodies -------------------------------------------------------------------------------------


def workers_of(body: Body) -> tuple[str, ...]:
    """Return the workers whom a body names."""
    found: list[str] = []

    def note(worker: str) -> str:
        found.append(worker)
        return worker

    renamed(body, note)
    return tuple(found)


def renamed(body: Body, name: Callable[[str], str]) -> Body:
    """Return a body in which each worker has another name."""
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
    """Return settings in which the workers that they list have other names."""
    told = dict(settings)
    if told.get("wizards"):
        told["wizards"] = [name(one) for one in told["wizards"]]
    if not isinstance(told.get("stages", ""), str):
        told["stages"] = [
            {**stage, "only": [name(one) for one in stage["only"]]} if "only" in stage else stage
            for stage in told["stages"]
        ]
    return told


def skeleton(body: Body) -> Body:
    """Return what is left of a sealed body when its people are erased: enough to go on from."""
    match body:
        case Entered(source=source):
            kept = {INVITE: source[INVITE]} if INVITE in source else {}
            return replace(body, source=kept)
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
