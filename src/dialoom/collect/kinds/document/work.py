"""The state of a document under way, its parts with revisions, and the events that its page sees.

A revision counts the saves of a part. A save names the revision that it changes and is refused when
that is not the latest, so that two browser tabs cannot overwrite each other's work.
"""

from __future__ import annotations

from typing import Any

from dialoom.collect.log.record import (
    Answered,
    Closed,
    Departed,
    Notice,
    Opened,
    Record,
    Role,
    Saved,
)
from dialoom.collect.settings import Times
from dialoom.collect.unit import Data, Idleness, UnitEvents, UnitFaults
from dialoom.dialogue import COMPLETE


class DocumentWork:
    """The state of a document: part to value, and to its number of revisions."""

    def __init__(self, item: Any, times: Times) -> None:
        self.given, self._times = item, times
        self.document: dict[str, Any] = {}
        self.revisions: dict[str, int] = {}
        self.role: Role = ""
        self.outcome: str | None = None
        self.waits_since = 0
        self.events = UnitEvents()
        self.page: Data | None = None
        """The data about its item, made once for the page."""
        self.faults = UnitFaults()
        self._left = False

    @property
    def step(self) -> str:
        """`talk` while it is worked on, then `closed`."""
        return "talk" if self.outcome is None else "closed"

    @property
    def closed(self) -> bool:
        """True if the unit is closed."""
        return self.outcome is not None

    @property
    def over(self) -> bool:
        """True if only its closing record is still to come."""
        return self._left or self.closed

    @property
    def completion_level(self) -> str:
        """The outcome if the unit ended now: complete only once the document is submitted."""
        return self.outcome or "DisconnectDuringDialogue"

    def apply(self, record: Record) -> None:
        """Take in the next record."""
        self.waits_since = record.time
        match record.body:
            case Opened(seats=seats):
                [self.role] = seats
            case Saved(part=part, rev=rev, value=value):
                self.revisions[part] = rev
                if value is None:
                    self.document.pop(part, None)
                else:
                    self.document[part] = value
            case Departed():
                self._left = True
            case Closed(outcome=outcome):
                self.outcome = outcome
        event = self.shown(record)
        if event is not None:
            self.events.add(record, self.role, *event)

    def shown(self, record: Record) -> tuple[str, Data] | None:
        """Return the kind and the fields of a record's event; None where the page sees none."""
        match record.body:
            case Saved(part=part, rev=rev, value=value):
                return "saved", {"part": part, "rev": rev, "value": value}
            case Opened():
                return "opened", {}
            case Notice(text=text):
                return "notice", {"text": text}
            case Departed(role=role):
                return "departed", {"role": role}
            case Closed(outcome=outcome):
                return "closed", {"outcome": outcome}
            case Answered():
                return "answered", {}
        raise TypeError(f"a document has no {type(record.body).__name__}")

    def idleness(self, now: int) -> Idleness:
        """Return the role as expired if nothing was saved for too long; there are no warnings."""
        late = not self.closed and now - self.waits_since >= self._times.work * 1000
        return Idleness(None, self.role if late else None, self.waits_since)

    def close(self, outcome: str) -> Closed:
        """Return the last record's body, which has the document where it is complete."""
        return Closed(outcome=outcome, result=self.document if outcome == COMPLETE else None)


def index_of(part: str, many: int) -> int | None:
    """Return the index below `many` that a part is named by; None for other names, such as 01."""
    return next((index for index in range(many) if part == str(index)), None)
