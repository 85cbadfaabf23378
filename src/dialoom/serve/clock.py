"""The time of a study, which follows the clock of the computer but never goes back."""

from __future__ import annotations

from collections.abc import Callable


class SteadyClock:
    """Adds up the steps of another clock, without those that go back.

    The log is then in the order of its times, and a clock that is set back by hours takes no time
    from anybody. Steps forward that are too long are absences (collect/study/presence.py).

    Args:
        least: The earliest time to begin with: that of the latest record in the log.
    """

    def __init__(self, read: Callable[[], int], least: int) -> None:
        self._read, self._reading = read, read()
        self._time = max(self._reading, least)

    def __call__(self) -> int:
        """Return the time (ms since 1970)."""
        reading = self._read()
        self._time += max(0, reading - self._reading)
        self._reading = reading
        return self._time
