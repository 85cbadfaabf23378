"""Connections of participants, absences, and the time from which the study's timeouts count.

A step of the time by more than `OUTAGE` since the server last ran is an absence of the server: it
was down, the process was stopped, the computer slept, the database was unreachable, or the clock
was set forward. After it, all timeouts (idleness, grace, waiting) begin anew, so that nobody is
timed out because of the server. Absences are in the log (log/facts.py), connections are not: after
a restart nobody is connected until they reconnect.
"""

from __future__ import annotations

from collections.abc import Iterable

from dialoom.collect.log.facts import OUTAGE, Period


def overlap(periods: Iterable[Period], start: int, end: int) -> int:
    """Return how many ms between two times (ms since 1970) are in the union of periods."""
    total = 0
    for earlier, later in sorted(periods):
        total += max(0, min(later, end) - max(earlier, start))
        start = max(start, later)
    return total


class Presence:
    """The connections of assignments."""

    def __init__(self) -> None:
        self._gone: dict[int, int | None] = {}
        self._served, self._ticked = 0, False
        self._came: set[int] = set()
        self.up = 0
        """Since when the server has run without a break (ms since 1970)."""
        self.unwritten: list[Period] = []
        """The absences of the server that are not in the log yet."""
        self.changes = 0
        """The number of connections and disconnections so far."""

    def tick(self, now: int) -> None:
        """Let all timeouts begin at `now` (ms since 1970) when it is called for the first time."""
        if not self._ticked:
            self.up, self._ticked = now, True

    def serve(self, now: int, latest: int) -> int:
        """Record that the server runs; return its absence (ms) after `latest`."""
        last = max(self._served, latest)
        self._served = max(last, now)
        if now - last <= OUTAGE:
            return 0
        self.up = now
        return now - last

    @property
    def anybody(self) -> bool:
        """True if any assignment is connected."""
        return None in self._gone.values()

    def here(self, assignment: int) -> bool:
        """True if an assignment is connected."""
        return self._gone.get(assignment, 0) is None

    def gone(self, assignment: int, now: int) -> int | None:
        """Return since when (ms since 1970) an assignment is not connected; None if it is."""
        since = self._gone.setdefault(assignment, now)
        return since if since is None else max(since, self.up)

    def connect(self, assignment: int) -> None:
        """Record that an assignment is connected."""
        self.changes += 1
        self._gone[assignment] = None
        self._came.add(assignment)

    def came(self, assignment: int) -> bool:
        """True if an assignment has been connected since the server started."""
        return assignment in self._came

    def disconnect(self, assignment: int, now: int) -> None:
        """Record that an assignment has lost its last connection."""
        if self.here(assignment):
            self.changes += 1
            self._gone[assignment] = now

    def forget(self, assignment: int) -> None:
        """Drop the data about an assignment that has ended."""
        self._gone.pop(assignment, None)
        self._came.discard(assignment)

    def since(self, start: int) -> int:
        """Return `start`, or when the server came back if that is later; both are ms since 1970."""
        return max(start, self.up)
