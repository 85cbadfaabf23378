"""A transaction on a study: numbers new records, applies them in memory, and collects them.

A record is applied to the study in memory at once. If a command is refused after it has written a
record (such as an added item), the record stays in the transaction and is part of the next change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dialoom.collect.ledger.ledger import Payment
from dialoom.collect.log.change import Change, Claim
from dialoom.collect.log.facts import Served
from dialoom.collect.log.person import workers_of
from dialoom.collect.log.record import (
    SERVER,
    STUDY,
    UNIT,
    Body,
    Changed,
    Closed,
    Departed,
    Notice,
    Opened,
    Record,
    Reviewed,
    Saved,
    Started,
    is_named,
)
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.state import StudyState


class Transaction:
    """The records and claims written since the last `take`."""

    def __init__(self, state: StudyState, presence: Presence) -> None:
        self._state, self._presence = state, presence
        self._records: list[Record] = []
        self._claims: list[Claim] = []

    def write(self, stream: str, author: str, body: Body, now: int, *, client: str = "") -> Record:
        """Add a record to a stream, apply it in memory, and return it."""
        self.serve(now)
        if self._presence.unwritten:
            self.beat(now)
        seq = self._state.next_seq(stream)
        of = tuple(filter(is_named, self._people(stream, author, body)))
        record = Record(stream, seq, now, author, client, body, of)
        self._state.apply(record)
        self._records.append(record)
        return record

    def serve(self, now: int) -> None:
        """Note that the server runs at `now` (ms since 1970), and its absence before."""
        away = self._presence.serve(now, self._state.latest)
        if away and self._state.live:
            self._presence.unwritten.append((now - away, now))

    def beat(self, now: int) -> None:
        """Record that the server runs at `now` (ms since 1970), and its absences before."""
        absent, self._presence.unwritten = tuple(self._presence.unwritten), []
        self.write(STUDY, SERVER, Served(absent), now)

    def _people(self, stream: str, author: str, body: Body) -> Iterable[str]:
        match body:
            case Opened() | Departed() | Started() | Changed() | Closed(result=None):
                return ()
            case Reviewed(assignment=one):
                return (self._state.assignments[one].worker,)
        if not stream.startswith(UNIT):
            return workers_of(body)
        unit = self._state.units[int(stream.removeprefix(UNIT))]
        whole = isinstance(body, Closed | Notice)
        numbers = unit.seats.values() if whole else (unit.seats.get(author),)
        workers = [self._state.assignments[number].worker for number in numbers if number]
        about = unit.item.participants if whole or isinstance(body, Saved) else ()
        return dict.fromkeys((*workers, *about))  # work about others' work is their data as well

    def claim(self, *claims: Claim) -> None:
        """Add claims."""
        self._claims += claims

    def book(
        self,
        assignment: int,
        worker: str,
        payments: Sequence[Payment],
        now: int,
        *,
        author: str = SERVER,
    ) -> None:
        """Add ledger rows, with their claims, for payments that are not booked yet."""
        for row, claim in self._state.ledger.entries(assignment, worker, payments):
            self.write(STUDY, author, row, now)
            self.claim(claim)

    def take(self) -> Change:
        """Return the records and claims as a change, and start a new transaction."""
        change = Change(tuple(self._records), tuple(self._claims))
        self._records, self._claims = [], []
        return change
