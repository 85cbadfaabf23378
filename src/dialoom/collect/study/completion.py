"""The end of assignments and rooms: an outcome, the payments for it, and a completion code.

completed      what the stage brings, or nothing yet while it waits for a review
waited, partner_lost, ended      each minute since they were ready
left, idle, lost, screened_out   what the quiz brings; else nothing, but for time spent waiting
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialoom.collect.ledger import ledger
from dialoom.collect.log.change import Code, LeaseReleased, SeatLeft
from dialoom.collect.log.record import Departed, Ended, Outcome, Role, Waiting
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.seating import Seating
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.transaction import SERVER, Transaction
from dialoom.quality.stats.analysis import COMPLETE


class AssignmentCompletion:
    """Ends assignments and rooms."""

    def __init__(
        self, state: StudyState, draft: Transaction, presence: Presence, token: Callable[[], str]
    ) -> None:
        self._state, self._transaction, self._presence = state, draft, presence
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
        """End an assignment: book its payments, and give the completion code."""
        payments = self.payments(one, outcome, now)
        self._transaction.book(one.number, one.worker, payments, now)
        code = self._token()
        while code in self._state.codes:
            code = self._token()
        self._transaction.write(one.stream, author, Ended(outcome, code), now, client=client)
        self._transaction.claim(Code(code=code, assignment=one.number))
        self._presence.forget(one.number)

    def payments(self, one: Assignment, outcome: Outcome, now: int) -> tuple[ledger.Payment, ...]:
        """Return what is paid at once for ending an assignment with an outcome."""
        settings = self._state.settings
        if one.attempt is not None:
            if not one.attempt.over:
                return ()
            return ledger.tutorial(settings.pay, settings.quiz, one.attempt.hints)
        if outcome == "completed":
            if self._state.reviews.is_first(one.worker, one.stage):
                return ()
            scenario = self._state.rooms[one.room or 0].scenario
            return ledger.dialogue(settings.pay, self._state.pool[scenario])
        if one.waiting is None and outcome != "ended":
            return ()
        return ledger.wait(settings.pay, self.waited(one, now))

    def waited(self, one: Assignment, now: int) -> int:
        """Return how long (ms) somebody has waited in vain; until they were gone, if they are."""
        if one.ready is None:
            return 0
        gone = self._presence.gone(one.number, now)
        return (now if gone is None else min(gone, now)) - one.ready

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
        """Free the seats of people who leave for good; close the room where nobody can go on."""
        for role in sorted(causes):
            body = Departed(role=role, cause=causes[role])
            self._transaction.write(seating.stream, author, body, now, client=client)
        room = seating.room
        if room is not None and room.over and not room.closed:
            self._transaction.write(seating.stream, SERVER, room.close(room.completion_level), now)

    def settle(self, seating: Seating, now: int) -> bool:
        """End the assignments that are over in a room; tell whether somebody waits again.

        Whoever answered is done; whoever departed ends with the cause; who is left in a room that
        was closed goes back to waiting, before others.
        """
        again = False
        for role, number in seating.seats.items():
            one = self._state.assignments[number]
            if one.room != seating.number or one.step != "room":
                continue
            cause = "completed" if role in seating.answers else seating.departed.get(role)
            if cause is None and seating.outcome is None:
                continue
            self._transaction.claim(SeatLeft(room=seating.number, role=role))
            if cause is not None:
                self.end(one, cause, now)
            else:
                self._transaction.write(
                    one.stream, SERVER, Waiting(first=True, role=one.preferred), now
                )
                again = True
        if seating.outcome not in (None, COMPLETE):  # all parts end with the room: this comes once
            claim = LeaseReleased(scenario=seating.scenario, number=seating.lease)
            self._transaction.claim(claim)
            again = True
        return again
