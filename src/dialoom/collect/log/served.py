"""The bodies that say when the server ran and when people were connected, so that pay counts both.

The server writes `Served` at least every `BEAT` while somebody is connected, and before the next
record after an absence. After a crash, the time from the last record of the log until the restart
is an absence.
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct

OUTAGE = 5_000
"""Milliseconds without a tick, one of which comes each second, after which the server counts as
absent."""

BEAT = 20_000
"""Milliseconds without a record after which the server writes `Served`, so that a crash costs no
more of anybody's time; and without a connection after which a person's absence is recorded."""

Period = tuple[int, int]
"""The start and the end of an absence (ms since 1970)."""


class Served(Struct, frozen=True, tag="served"):
    """The server runs; `absent` are its absences since the record before.

    In these it was stopped, asleep, without its database, or its clock jumped.
    """

    absent: tuple[Period, ...] = ()


class Away(Struct, frozen=True, tag="away"):
    """A person has had no connection `since` a time (ms since 1970); None: they are back."""

    since: int | None


ServedFact = Served | Away
