"""The bodies that say when the server ran and when people were connected, so that pay counts both.

The server writes `Served` at least every `BEAT` while somebody is connected. After a crash, the
time from the last record of the log until the restart is the server's absence.
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct

OUTAGE = 5_000
"""Milliseconds from which on the server, which ticks each second, or a person counts as absent."""

BEAT = 20_000
"""Milliseconds without a record after which the server writes `Served`; a crash costs no more."""


class Served(Struct, frozen=True, tag="served"):
    """The server runs; `away` is for how long (ms) it was absent just before.

    It was stopped, asleep, without its database, or its clock jumped.
    """

    away: int = 0


class Away(Struct, frozen=True, tag="away"):
    """A person has had no connection `since` a time (ms since 1970); None: they are back."""

    since: int | None


ServedFact = Served | Away
