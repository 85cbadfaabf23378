"""How parts end: with an outcome, what is paid for it, and a code.

completed      what the stage brings, or nothing yet while it waits for a review
waited, partner_lost, ended      each minute since they were ready
left, idle, lost, screened_out   what the quiz brings; else nothing, but for time spent waiting
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialoom.collect.books import ledger
from dialoom.collect.books.assignment import Assignment
from dialoom.collect.books.books import Books
from dialoom.collect.books.seating import Seating
from dialoom.collect.log.change import Code, LeaseReleased, SeatLeft
from dialoom.collect.log.record import (
    STUDY,
    Departed,
    Ended,
    Outcome,
    Role,
    Waiting,
)
from dialoom.collect.study.draft import SERVER, Draft
from dialoom.collect.study.presence import Presence
from dialoom.quality.stats.analysis import COMPLETE


class Ending:
    """Ends assignments and rooms."""

    def __init__(
        self, books: Books, draft: Draft, presence: Presence, token: Callable[[], str]
    ) -> None:
        self._books, self._draft, self._presence = books, draft, presence
        self._token = token

    # --- of an assignment -------------------------------------------------------------------

    def of_wait(self, one: Assignment) -> Outcome:
        """Return the outcome of a wait that came to nothing."""
        return "partner_lost" if one.lost else "waited"

    def end(
        self,
        one: Assignment,
        outcome: Outcome,
        now: int,
        *,
        author: str = SERVER,
        client: str = "",
    ) -> None:
        """End an assignment: book what it brings, and give the code."""
        for row, claim in self._books.ledger.entries(
            one.number, one.worker, self.dues(one, outcome, now)
        ):
            self._draft.write(STUDY, SERVER, row, now)
            self._draft.claim(claim)
        code = self._token()
        while code in self._books.codes:
            code = self._token()
        self._draft.write(one.stream, author, Ended(outcome, code), now, client=client)
        self._draft.claim(Code(code=code, assignment=one.number))
        self._presence.forget(one.number)

    def dues(self, one: Assignment, outcome: Outcome, now: int) -> tuple[ledger.Due, ...]:
        """Return what ending an assignment like this brings at once."""
        settings = self._books.settings
        if one.attempt is not None:
            if not one.attempt.over:
                return ()
            return ledger.tutorial(settings.pay, settings.quiz, one.attempt.hints)
        if outcome == "completed":
            if self._books.reviews.is_first(one.worker, one.stage):
                return ()
            return ledger.dialogue(settings.pay, self._books.offers[self._scenario(one)])
        if one.waiting is None and outcome != "ended":
            return ()
        return ledger.wait(settings.pay, self.waited(one, now))

    def waited(self, one: Assignment, now: int) -> int:
        """Return how long (ms) somebody has given us in vain: until they were gone, if they are."""
        if one.ready is None:
            return 0
        gone = self._presence.gone(one.number, now)
        return (now if gone is None else min(gone, now)) - one.ready

    def _scenario(self, one: Assignment) -> str:
        return self._books.rooms[one.room or 0].scenario

    # --- of a room --------------------------------------------------------------------------

    def depart(
        self,
        seating: Seating,
        causes: Mapping[Role, Outcome],
        now: int,
        *,
        author: str = SERVER,
        client: str = "",
    ) -> None:
        """Give up seats for good; the room is closed where nothing more can come of it."""
        for role in sorted(causes):
            body = Departed(role=role, cause=causes[role])
            self._draft.write(seating.stream, author, body, now, client=client)
        room = seating.room
        if room is not None and room.over and not room.closed:
            self._draft.write(seating.stream, SERVER, room.close(room.outcome()), now)

    def settle(self, seating: Seating, now: int) -> bool:
        """End the parts that are over in a room; tell whether somebody waits again for it.

        Whoever answered is done; whoever departed ends with the cause; who is left in a room that
        was closed goes back to waiting, before others.
        """
        again = False
        for role, number in seating.seats.items():
            one = self._books.assignments[number]
            if one.room != seating.number or one.step != "room":
                continue
            cause = "completed" if role in seating.answers else seating.departed.get(role)
            if cause is None and seating.outcome is None:
                continue
            self._draft.claim(SeatLeft(room=seating.number, role=role))
            if cause is not None:
                self.end(one, cause, now)
            else:
                self._draft.write(one.stream, SERVER, Waiting(first=True, role=one.wish), now)
                again = True
        if seating.outcome not in (None, COMPLETE):  # all parts end with the room: this comes once
            claim = LeaseReleased(scenario=seating.scenario, number=seating.lease)
            self._draft.claim(claim)
            again = True
        return again
