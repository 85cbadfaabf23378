"""Timeouts: frees the seats of people who are gone or idle, and ends waits without a partner.

    lost     not connected for longer than the grace, while a partner depends on them
    idle     it was their turn, or their questionnaire was open, for too long
    waited   no partner came in time

Time in which the server itself is absent is not counted (presence.py).
"""

from __future__ import annotations

from typing import NamedTuple

from dialoom.collect.log.record import Outcome, Role, is_bot
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.completion import AssignmentCompletion
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.state import StudyState
from dialoom.collect.unit import WorkUnit

ARRIVAL = 10.0
"""Seconds within which a page connects after it has joined; it retries every five seconds."""


class IdleWarning(NamedTuple):
    """A warning to a person whose partner waits; `since` and `until` are ms since 1970."""

    assignment: int
    since: int
    until: int


class Timeouts:
    """The timeouts of a study."""

    def __init__(self, state: StudyState, presence: Presence, ending: AssignmentCompletion) -> None:
        self._state, self._presence, self._completion = state, presence, ending
        self._times = state.settings.times

    def away(self, unit: WorkUnit) -> int:
        """Return how long (ms) the server was away during the wait under way in a unit."""
        since = unit.last if unit.work is None else unit.work.waits_since
        return self._presence.since(since) - since

    def until(self, one: Assignment) -> int | None:
        """Return a waiting person's deadline (ms since 1970); None for one who does not wait."""
        if one.waiting is None:
            return None
        return self._presence.since(one.waiting) + ms(self._times.wait)

    def back(self, unit: WorkUnit, role: Role, now: int) -> int | None:
        """Return the deadline (ms since 1970) to reconnect; None if connected or departed."""
        number = unit.seats[role]
        if role not in unit.live or self._programmed(number):
            return None
        absence = self._presence.gone(number, now)
        return None if absence is None else absence + ms(self._times.grace)

    def idle_warnings(self, now: int) -> list[IdleWarning]:
        """Return a warning for each person whose partner has waited for `times.idle_warning`."""
        warnings = []
        for unit in self._state.open.values():
            if unit.work is None:
                continue
            away = self.away(unit)
            idleness = unit.work.idleness(now - away)
            if idleness.warned is not None:
                since = idleness.since + away
                until = since + ms(self._times.idle)
                warnings.append(IdleWarning(unit.seats[idleness.warned], since, until))
        return warnings

    def given_up(self, unit: WorkUnit, now: int) -> bool:
        """Free the seats of people who are gone or idle; return whether there were any."""
        work = unit.work
        if work is None:
            return False
        causes: dict[Role, Outcome] = {}
        if work.step == "talk" and unit.kind.policy == "together":
            for role in unit.live:
                if self.gone(unit.seats[role], now):
                    causes[role] = "lost"
        idle = work.idleness(now - self.away(unit)).expired
        if idle is not None and idle not in causes:
            causes[idle] = "lost" if self.gone(unit.seats[idle], now) else "idle"
        if causes:
            self._completion.depart(unit, causes, now)
        return bool(causes)

    def expire(self, one: Assignment, now: int) -> None:
        """End an assignment that took too long outside of units."""
        if one.step == "room" or self._programmed(one.number):
            return
        absent = self._presence.gone(one.number, now) is not None
        until = self.until(one)
        if until is not None:
            if now >= until:
                self._completion.end(one, "lost" if absent else self._completion.of_wait(one), now)
        elif now >= self._presence.since(one.touched) + ms(self._times.entry):
            self._completion.end(one, "lost" if absent else "idle", now)

    def gone(self, number: int, now: int, grace: float | None = None) -> bool:
        """True if an assignment has been disconnected for longer than `grace` (seconds)."""
        if self._programmed(number):
            return False
        since = self._presence.gone(number, now)
        return since is not None and now - since >= ms(grace or self._times.grace)

    def coming(self, number: int, now: int) -> bool:
        """True if connected, or within the grace period (`ARRIVAL` seconds after joining)."""
        grace = None if self._presence.came(number) else min(ARRIVAL, self._times.grace)
        return not self.gone(number, now, grace)

    def _programmed(self, number: int) -> bool:
        return is_bot(self._state.assignments[number].worker)


def ms(seconds: float) -> int:
    """Return seconds as milliseconds."""
    return round(seconds * 1000)
