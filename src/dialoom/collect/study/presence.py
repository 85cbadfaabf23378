"""Connections of participants, and the time from which the study's timeouts count.

Connections are not in the log. After a restart nobody is connected until they reconnect, and all
timeouts (idleness, grace, waiting) begin anew, so that nobody is timed out because of the server. A
gap between two ticks of `OUTAGE` or more (the process was stopped, the computer slept, the database
was unreachable) counts as an absence of the server, too.
"""

from __future__ import annotations

OUTAGE = 5_000
"""Milliseconds between ticks from which on the server counts as absent; it ticks each second."""


class Presence:
    """The connections of assignments."""

    def __init__(self) -> None:
        self._gone: dict[int, int | None] = {}
        self._ticked: int | None = None
        self._came: set[int] = set()
        self.up = 0
        """Since when the server has run without a break (ms since 1970)."""
        self.changes = 0
        """The number of connections and disconnections so far."""

    def tick(self, now: int) -> None:
        """Record that the server runs at `now` (ms since 1970), to find times of absence."""
        if self._ticked is None or now - self._ticked > OUTAGE:
            self.up = now
        self._ticked = now

    def here(self, assignment: int) -> bool:
        """Return whether an assignment is connected."""
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
        """Return whether an assignment has been connected since the server started."""
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
