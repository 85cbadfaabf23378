"""Ends assignments and units of work, with an outcome, payments and a completion code.

The payments by outcome:

completed      the stage's pay for each item, or nothing yet if the work waits for a review
waited, partner_lost, ended      the pay for waiting, for each minute since they were ready
left, idle, lost, screened_out   the pay of the tutorial or for waiting; for leaving a dialogue
                                 the setting `pay.part` for each minute in it, up to its whole pay

Items that were finished before are paid as well, whatever the outcome.

Only time counts in which the server ran and the person was connected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dialoom.collect.ledger import ledger
from dialoom.collect.log.change import Code, LeaseReleased, SeatLeft
from dialoom.collect.log.facts import BEAT, Away
from dialoom.collect.log.record import (
    SERVER,
    STUDY,
    Departed,
    Ended,
    Outcome,
    Qualified,
    Role,
    Waiting,
    is_bot,
)
from dialoom.collect.stage_rules import GoldRule
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.presence import Presence, overlap
from dialoom.collect.study.state import StudyState
from dialoom.collect.study.transaction import Transaction
from dialoom.collect.unit import WorkUnit
from dialoom.dialogue import COMPLETE


class AssignmentCompletion:
    """Ends assignments and units of work."""

    def __init__(
        self,
        state: StudyState,
        draft: Transaction,
        presence: Presence,
        token: Callable[[], str],
        another: Callable[[Assignment, int], bool],
    ) -> None:
        self._state, self._transaction, self._presence = state, draft, presence
        self._token, self._another = token, another

    # --- of an assignment -------------------------------------------------------------------

    def of_wait(self, one: Assignment) -> Outcome:
        """Return the outcome of a wait without a partner."""
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
        self._transaction.serve(now)  # an absence until now is not paid
        payments = self.payments(one, outcome, now)
        self._transaction.book(one.number, one.worker, payments, now)
        code = self._token()
        while code in self._state.codes:
            code = self._token()
        self._transaction.write(one.stream, author, Ended(outcome, code), now, client=client)
        self._transaction.claim(Code(code=code, assignment=one.number))
        self._presence.forget(one.number)

    def payments(self, one: Assignment, outcome: Outcome, now: int) -> tuple[ledger.Payment, ...]:
        """Return the payments that are due at once when an assignment ends with an outcome."""
        settings = self._state.settings
        if one.attempt is not None:
            if not one.attempt.over:
                return ()
            stage, attempt = self._state.stages[one.stage], one.attempt
            return ledger.tutorial(settings.pay, stage, attempt.limits, attempt.hints)
        done = () if self._state.reviewed_first(one) else self._state.earned(one, outcome)
        return done if outcome == "completed" else (*done, *self._time(one, outcome, now))

    def _time(self, one: Assignment, outcome: Outcome, now: int) -> tuple[ledger.Payment, ...]:
        settings = self._state.settings
        if one.waiting is not None or outcome == "ended":
            time = 0 if one.ready is None else self._there(one, one.ready, now)
            return ledger.wait(settings.pay, time)
        unit = None if one.unit is None else self._state.units.get(one.unit)
        if unit is None or unit.number in one.finished:
            return ()
        whole = ledger.unit(settings.pay, self._state.stages[unit.stage], unit.item)
        return ledger.part(settings.pay, self._there(one, unit.opened, now), whole)

    def _there(self, one: Assignment, start: int, now: int) -> int:
        """Return how long (ms) after `start` the server ran and the person was connected."""
        absence = self._presence.gone(one.number, now) if one.away is None else one.away
        end = now if absence is None else min(absence, now)
        return end - start - self.absent(one, start, end)

    def absent(self, one: Assignment, start: int, end: int) -> int:
        """Return how long (ms) between two times (ms since 1970) the server or person was away."""
        return overlap((*one.absences, *self._presence.unwritten), start, end)

    def note_away(self, one: Assignment, now: int) -> None:
        """Record, for replays, that a person whose time is paid is not connected."""
        if one.ready is None or one.away is not None or is_bot(one.worker):
            return
        absence = self._presence.gone(one.number, now)
        if absence is not None and now - absence > BEAT:
            self._transaction.write(one.stream, SERVER, Away(absence), now)

    # --- of a unit --------------------------------------------------------------------------

    def depart(
        self,
        unit: WorkUnit,
        causes: Mapping[Role, Outcome],
        now: int,
        *,
        author: str = SERVER,
        client: str = "",
    ) -> None:
        """Free the seats of people who leave for good, and close the unit if it cannot go on.

        Args:
            causes: Role to the outcome of the person who leaves it.
            client: The client id of the message that caused it, if any.
        """
        for role in sorted(causes):
            body = Departed(role=role, cause=causes[role])
            self._transaction.write(unit.stream, author, body, now, client=client)
        work = unit.work
        if work is not None and work.over and not work.closed:
            self._transaction.write(unit.stream, SERVER, work.close(work.completion_level), now)

    def settle(self, unit: WorkUnit, now: int) -> bool:
        """End the assignments that are over in a unit; return whether anybody waits again.

        Those who have answered the questionnaire are done, or get the next item of their
        assignment, and those who departed end with the cause. The others, if the unit is closed,
        go back to waiting and are paired first.
        """
        again = False
        for role, number in unit.seats.items():
            one = self._state.assignments[number]
            if one.unit != unit.number or one.step != "room":
                continue
            cause = "completed" if role in unit.answers else unit.departed.get(role)
            if cause is None and unit.outcome is None:
                continue
            self._transaction.claim(SeatLeft(unit=unit.number, role=role))
            if cause == "completed" and self._follow_gold(one, unit, now) == "end":
                cause = "screened_out"
            if cause == "completed" and self._another(one, now):
                continue
            if cause is not None:
                self.end(one, cause, now)
            else:
                self._transaction.write(
                    one.stream, SERVER, Waiting(first=True, role=one.preferred), now
                )
                again = True
        if unit.outcome not in (None, COMPLETE):  # reached once, when the unit is closed
            claim = LeaseReleased(item=unit.item.id, number=unit.lease)
            self._transaction.claim(claim)
            again = True
        return again

    def _follow_gold(self, one: Assignment, unit: WorkUnit, now: int) -> GoldRule | None:
        if not unit.item.gold:
            return None
        rule = self._state.gold.rule(one.worker, self._state.stages[unit.stage])
        granted = self._state.worker(one.worker).granted.get(unit.stage)
        if rule in ("refuse", "end") and granted is not False:
            body = Qualified(one.worker, unit.stage, False)
            self._transaction.write(STUDY, SERVER, body, now)
        return rule
