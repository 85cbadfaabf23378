"""Timeouts: seats of those who are gone or idle, and waits that came to nothing.

    lost     not connected for longer than the grace, in a dialogue
    idle     their turn, or their questionnaire, for too long
    waited   nobody came in time

Every clock stands still while the server itself is away (see presence.py).
"""

from __future__ import annotations

from typing import NamedTuple

from dialoom.collect.log.record import Outcome, Role, is_bot
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.completion import AssignmentCompletion
from dialoom.collect.study.presence import Presence
from dialoom.collect.study.seating import Seating
from dialoom.collect.study.state import StudyState


class IdleWarning(NamedTuple):
    """Somebody who lets their partner wait: since when, and when they lose their seat (ms)."""

    assignment: int
    since: int
    until: int


class Timeouts:
    """The timeouts of a study."""

    def __init__(self, state: StudyState, presence: Presence, ending: AssignmentCompletion) -> None:
        self._state, self._presence, self._completion = state, presence, ending
        self._times = state.settings.times

    def away(self, seating: Seating) -> int:
        """Return how long (ms) the server was away during the wait under way in a room."""
        since = seating.last if seating.room is None else seating.room.waits_since
        return self._presence.since(since) - since

    def until(self, one: Assignment) -> int | None:
        """Return the deadline (ms) of a waiting participant; None where they do not wait."""
        if one.waiting is None:
            return None
        return self._presence.since(one.waiting) + ms(self._times.wait)

    def back(self, seating: Seating, role: Role, now: int) -> int | None:
        """Return until when (ms) a role may come back; None where it is here, or gone for good."""
        number = seating.seats[role]
        if role not in seating.live or self._programmed(number):
            return None
        gone = self._presence.gone(number, now)
        return None if gone is None else gone + ms(self._times.grace)

    def idle_warnings(self, now: int) -> list[IdleWarning]:
        """Return a warning for everybody who lets their partner wait for long."""
        found = []
        for seating in self._state.open.values():
            if seating.room is None:
                continue
            away = self.away(seating)
            idleness = seating.room.idleness(now - away)
            if idleness.warned is not None:
                since = idleness.since + away
                until = since + ms(self._times.idle)
                found.append(IdleWarning(seating.seats[idleness.warned], since, until))
        return found

    def given_up(self, seating: Seating, now: int) -> bool:
        """Free the seats of those who are gone or idle; tell whether there was one."""
        room = seating.room
        if room is None:
            return False
        causes: dict[Role, Outcome] = {}
        if room.step == "talk":
            for role in seating.live:
                if self.gone(seating.seats[role], now):
                    causes[role] = "lost"
        idle = room.idleness(now - self.away(seating)).expired
        if idle is not None and idle not in causes:
            causes[idle] = "lost" if self.gone(seating.seats[idle], now) else "idle"
        if causes:
            self._completion.depart(seating, causes, now)
        return bool(causes)

    def expire(self, one: Assignment, now: int) -> None:
        """End an assignment that took too long outside of rooms."""
        if one.step == "room" or self._programmed(one.number):
            return
        gone = self._presence.gone(one.number, now) is not None
        until = self.until(one)
        if until is not None:
            if now >= until:
                self._completion.end(one, "lost" if gone else self._completion.of_wait(one), now)
        elif now >= self._presence.since(one.touched) + ms(self._times.entry):
            self._completion.end(one, "lost" if gone else "idle", now)

    def gone(self, number: int, now: int) -> bool:
        """Tell whether somebody is not connected for longer than the grace."""
        if self._programmed(number):
            return False
        since = self._presence.gone(number, now)
        return since is not None and now - since >= ms(self._times.grace)

    def _programmed(self, number: int) -> bool:
        """Tell whether a program has the assignment; it counts as connected."""
        return is_bot(self._state.assignments[number].worker)


def ms(seconds: float) -> int:
    """Return seconds as milliseconds."""
    return round(seconds * 1000)
