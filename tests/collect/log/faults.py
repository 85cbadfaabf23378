"""Faults of a store: kills and disk errors at a chosen moment of writing.

    python faults.py after_commit:37 collect …      # `dialoom collect …`, killed after 37 commits

The kills end the process as `kill -9` does. The full disk and the read-only database are errors of
the database's own; SQLite's stay until the store is recovered.
"""

from __future__ import annotations

import os
import signal
import sys

from sqlalchemy import Connection

from dialoom.collect.log.store import Point, Store

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


class Faults:
    """One fault, when its point is reached for the `at`-th time.

    Args:
        name: "before_commit", "after_commit" or "after_acknowledgement" for a kill at that point;
            "full_disk" or "read_only"; empty for no fault.
    """

    def __init__(self, name: str = "", at: int = 1) -> None:
        self._name = name
        self._point = "begin" if name in _STATEMENTS else name
        self._left = at

    def __call__(self, point: Point, connection: Connection | None = None) -> None:
        if point != self._point:
            return
        self._left -= 1
        if not self._left and connection is None:
            os.kill(os.getpid(), signal.SIGKILL)
        elif not self._left and connection is not None:
            connection.exec_driver_sql(_STATEMENTS[self._name][connection.dialect.name])


def install(fault: str) -> None:
    """Cause a fault, NAME:COUNT, in the stores of this process."""
    name, _, at = fault.partition(":")
    Store.reached = staticmethod(Faults(name, int(at or 1)))


if __name__ == "__main__":
    from dialoom.cli import main

    install(sys.argv.pop(1))
    main()
