"""Fault injection for tests: kills and disk errors at a chosen moment of writing.

    DIALOOM_FAULT=after_commit:37 dialoom collect …      # killed after the 37th commit

The kills end the process as `kill -9` does. The full disk and the read-only database are errors of
the database's own; SQLite's stay until the store is recovered.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping
from typing import Literal

from sqlalchemy import Connection

from dialoom.errors import UsageError

VARIABLE = "DIALOOM_FAULT"
"""The environment variable that asks for a fault: NAME:COUNT, at the COUNT-th time."""

Point = Literal["begin", "before_commit", "after_commit", "after_acknowledgement"]
"""The place of a fault: `begin` of a group, its commit, an acknowledgement sent to a client."""


def _kill(_: Connection | None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _full_disk(connection: Connection | None) -> None:
    if connection is None:
        return
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("DO $$ BEGIN RAISE disk_full; END $$")
    else:  # the file may not grow: SQLITE_FULL as soon as it would
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {int(pages)}")


def _read_only(connection: Connection | None) -> None:
    if connection is None:
        return
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
    else:  # every write ends in SQLITE_READONLY
        connection.exec_driver_sql("PRAGMA query_only = 1")


_FAULTS: dict[str, tuple[Point, Callable[[Connection | None], None]]] = {
    "before_commit": ("before_commit", _kill),
    "after_commit": ("after_commit", _kill),
    "after_acknowledgement": ("after_acknowledgement", _kill),
    "full_disk": ("begin", _full_disk),
    "read_only": ("begin", _read_only),
}

NAMES = tuple(_FAULTS)
"""Every fault there is."""


class Faults:
    """At most one fault, which happens when its point is reached for the `at`-th time.

    Args:
        name: One of `NAMES`; None for no fault, as in every real study.
    """

    def __init__(self, name: str | None = None, at: int = 1) -> None:
        self.name = name
        self._fault = _FAULTS[name] if name is not None else None
        self._left = at

    @classmethod
    def asked(cls, environment: Mapping[str, str] = os.environ) -> Faults:
        """Return the fault that the environment asks for; `UsageError` if it does not exist."""
        text = environment.get(VARIABLE, "")
        if not text:
            return cls()
        name, _, at = text.partition(":")
        if name not in _FAULTS or not at.isdecimal() or not int(at):
            right = f"NAME:COUNT with one of {', '.join(NAMES)}"
            raise UsageError(f"{VARIABLE}={text!r}: not {right}")
        return cls(name, int(at))

    def reach(self, point: Point, connection: Connection | None = None) -> None:
        """Note that a point is reached, and cause the fault that is due there."""
        if self._fault is not None and point == self._fault[0]:
            self._left -= 1
            if not self._left:
                self._fault[1](connection)
