"""Records of a unit on which a reader of its log fails: it skips them, and the admin is told.

    unread = Unread()
    with unread.skipping(7):
        tracker.observe(record.body)
    unread.faults           # {7: "OverflowError: int too large to convert to float"}

A record of the log stays there: no fault of ours in reading it may keep a unit from opening.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from dialoom.errors import clip

log = logging.getLogger("dialoom.collect")


class Unread:
    """The records of one unit that could not be read in full.

    Attributes:
        faults: Number of the record to what went wrong.
    """

    def __init__(self) -> None:
        self.faults: dict[int, str] = {}

    @contextmanager
    def skipping(self, seq: int) -> Iterator[None]:
        """Note and log a fault of the block, which reads the record number `seq`, and go on."""
        try:
            yield
        except Exception as error:  # a bug of a reader, whatever it is
            if seq not in self.faults:
                log.exception("record %d of a unit cannot be read", seq)
            self.faults[seq] = clip(f"{type(error).__name__}: {error}")

    def __str__(self) -> str:
        """One line for the admin; empty where all records were read."""
        return "; ".join(
            f"record {seq} cannot be read: {what}" for seq, what in self.faults.items()
        )
