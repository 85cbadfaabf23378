"""Faults in a unit, ours or a bot's, for the log file and the admin.

    faults = UnitFaults()
    with faults.skipping(7):
        tracker.observe(record.body)
    faults.noted            # {7: "OverflowError: int too large to convert to float"}

A record of the log stays there: where a reader fails on it, the reader skips it, and the unit goes
on.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from dialoom.errors import clip

log = logging.getLogger("dialoom.collect")


class UnitFaults:
    """The faults of one unit, by the number of the record at which they happened."""

    def __init__(self) -> None:
        self.noted: dict[int, str] = {}

    def note(self, seq: int, what: str) -> None:
        """Note what went wrong at the record number `seq`."""
        self.noted[seq] = clip(what)

    @contextmanager
    def skipping(self, seq: int) -> Iterator[None]:
        """Note and log a fault of the block, which reads the record number `seq`, and go on."""
        try:
            yield
        except Exception as error:  # a bug of a reader, whatever it is
            if seq not in self.noted:
                log.exception("record %d of a unit cannot be read", seq)
            self.note(seq, f"{type(error).__name__}: {error}")

    def __str__(self) -> str:
        return "; ".join(f"record {seq}: {what}" for seq, what in self.noted.items())
