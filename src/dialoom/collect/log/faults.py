"""Fault injection for tests: kills and disk errors at a chosen moment of writing.

    DIALOOM_FAULT=after_commit:37 dialoom collect …      # killed after the 37th commit

The kills end the process as `kill -9` does. The full disk and the read-only database are errors of
the database's own; SQLite's stay until the store is recovered.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from typing import Literal

from sqlalchemy import Connection

from dialoom.errors import UsageError

VARIABLE = "DIALOOM_FAULT"
"""The environment variable that asks for a fault: NAME:COUNT, at the COUNT-th time."""

Point = Literal["begin", "before_commit", "after_commit", "after_acknowledgement"]
"""The place of a fault: `begin` of a group, its commit, an acknowledgement sent to a client."""

_STATEMENTS = {
    "full_disk": {
        "postgresql": "DO $$ BEGIN RAISE disk_full; END $$",
        "sqlite": "PRAGMA max_page_count = 1",  # SQLITE_FULL as soon as the file would grow
    },
    "read_only": {
        "postgresql": "SET TRANSACTION READ ONLY",
        "sqlite": "PRAGMA query_only = 1",  # every write ends in SQLITE_READONLY
    },
}
"""Fault at `begin` to the statement that causes it, by the dialect of the database."""

NAMES = ("before_commit", "after_commit", "after_acknowledgement", *_STATEMENTS)
"""Every fault there is; the first three are kills at the point of that name."""


class Faults:
    """At most one fault, which happens when its point is reached for the `at`-th time.

    Args:
        name: One of `NAMES`; None for no fault, as in every real study.
    """

    def __init__(self, name: str | None = None, at: int = 1) -> None:
        self.name = name
        self._point = "begin" if name in _STATEMENTS else name
        self._left = at

    @classmethod
    def asked(cls, environment: Mapping[str, str] = os.environ) -> Faults:
        """Return the fault that the environment asks for; `UsageError` if it does not exist."""
        text = environment.get(VARIABLE, "")
        if not text:
            return cls()
        name, _, at = text.partition(":")
        if name not in NAMES or not at.isdecimal() or not int(at):
            right = f"NAME:COUNT with one of {', '.join(NAMES)}"
            raise UsageError(f"{VARIABLE}={text!r}: not {right}", code="wrong-value")
        return cls(name, int(at))

    def reach(self, point: Point, connection: Connection | None = None) -> None:
        """Note that a point is reached, and cause the fault that is due there."""
        if point != self._point:
            return
        self._left -= 1
        if not self._left and connection is None:
            os.kill(os.getpid(), signal.SIGKILL)
        elif not self._left and connection is not None:
            connection.exec_driver_sql(_STATEMENTS[str(self.name)][connection.dialect.name])
