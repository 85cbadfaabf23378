"""Makes and sends a recruiter's orders: which submissions to approve, to reject, to pay a bonus.

The journal is a file with one JSON line before an order is sent and one after the answer, so that
no bonus is paid twice. An order without an answer counts as carried out until its line is deleted
by hand, unless the recruiter carries out a repeated order only once (`Recruiter.repeatable`).
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import httpx
import msgspec

from dialoom.collect.account import plain_cell
from dialoom.collect.export import Collected
from dialoom.collect.log.record import is_named
from dialoom.collect.log.store import Store
from dialoom.collect.recruiters.recruiter import (
    OrderRefusedError,
    Recruiter,
    RecruiterOrder,
    amount,
    recruiter_of,
)
from dialoom.collect.study.assignment import Assignment
from dialoom.collect.study.study import Study
from dialoom.corpus.files import staged_folder
from dialoom.dialogue.annotation import Struct
from dialoom.errors import FormatError, UsageError


@dataclass(frozen=True)
class Settlement:
    """The orders of a study.

    Attributes:
        limit: The most that they may pay in all, in units of the study's currency.
    """

    recruiter: Recruiter
    name: str
    orders: Sequence[RecruiterOrder]
    currency: str
    limit: float

    @classmethod
    def of(cls, db: str, limit: float) -> Settlement:
        """Return the orders of a database; `UsageError` if its study has no recruiter."""
        with Store.open(db, create=False, readonly=True) as store:
            study, place = Collected(store).study, store.place
        settings = study.settings
        recruiter = recruiter_of(settings)
        if recruiter is None:
            raise UsageError(f"{place}: the study has no recruiter; it would be in its settings")
        all_orders = orders(study, recruiter)
        return cls(recruiter, settings.recruiter, all_orders, settings.currency, limit)

    def write(self, out: Path) -> None:
        """Write CSV files into a new folder; `UsageError` above the limit."""
        check_sum(self.orders, self.limit, self.currency)
        write_files(self.recruiter.files(self.orders), out)

    def send(self, journal: Path, credentials: Mapping[str, str]) -> Sent:
        """Send what the journal does not have yet.

        Raises:
            UsageError: It is above the limit, a credential is missing, or the recruiter cannot be
                reached.
        """
        history = Journal(journal)
        check_sum(filter(None, map(history.due, self.orders)), self.limit, self.currency)
        lacking = [name for name in self.recruiter.credentials if not credentials.get(name)]
        if lacking:
            raise UsageError(f"--send: {lacking[0]} is not set in the environment")
        try:
            with httpx.Client(timeout=60) as web:
                return send(self.recruiter, self.orders, history, web, credentials)
        except httpx.TransportError as error:
            raise UsageError(f"{self.name} cannot be reached: {error}") from error


def orders(study: Study, recruiter: Recruiter) -> list[RecruiterOrder]:
    """Return the orders for all submissions that are over.

    A completed submission is approved, which pays the setting `reward`; what the ledger has beyond
    that is paid as a bonus. A submission that was rejected in a review is rejected. There are no
    orders for one of which an assignment is under way or waits for a review.
    """
    parts: dict[str, list[Assignment]] = {}
    for one in study.state.assignments.values():
        if recruiter.submission in one.source and is_named(one.worker):
            parts.setdefault(one.source[recruiter.submission], []).append(one)
    return [order for each in parts.values() for order in _orders(study, recruiter, each)]


def _orders(
    study: Study, recruiter: Recruiter, parts: list[Assignment]
) -> Iterator[RecruiterOrder]:
    reviews = [entry for one in parts if (entry := study.state.reviews.all.get(one.number))]
    if any(one.outcome is None for one in parts) or any(entry.waits for entry in reviews):
        return
    rows = [row for one in parts for row in study.state.ledger.of(one.number)]
    rejected = {
        entry.assignment: entry.review.reason
        for entry in reviews
        if entry.review is not None and not entry.review.accepted and not entry.automatic
    }
    done = {one.number for one in parts if one.outcome == "completed"} - rejected.keys()
    brought = [r.cents for r in rows if r.assignment in done and r.kind == "payment"]
    reward, source = 0, parts[0].source
    order = partial(
        RecruiterOrder,
        submission=source[recruiter.submission],
        worker=parts[0].worker,
        source=source,
    )
    if brought:
        reward = sum(brought) if study.settings.reward is None else study.settings.reward
        yield order(kind="approve", reward=reward)
    elif rejected:
        yield order(kind="reject", reason=next(iter(rejected.values())))
    cents = sum(row.cents for row in rows) - reward
    if cents > 0:
        why = dict.fromkeys(row.reason.replace("_", " ") for row in rows if row.cents > 0)
        reason = f"{study.settings.name}: {', '.join(why)}"
        yield order(kind="bonus", cents=cents, reason=reason)


def check_sum(orders: Iterable[RecruiterOrder], limit: float, currency: str) -> None:
    """Check that orders do not pay more than a limit in all.

    Args:
        limit: The most that they may pay, in units of the currency.

    Raises:
        UsageError: They pay more.
    """
    cents = sum(order.cents + order.reward for order in orders)
    if not cents <= 100 * limit:  # a limit that is no number allows nothing
        what = f"the orders pay {amount(cents)} {currency} in all, more than --limit {limit:g}"
        raise UsageError(f"{what}; if the ledger is right, add --yes", code="over-limit")


def write_files(files: Mapping[str, list[list[str]]], target: Path) -> None:
    """Write tables as CSV files into a new folder; `DialoomError` if that fails."""
    with staged_folder(target) as stage:
        for name, rows in files.items():
            with (stage / name).open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows([plain_cell(cell) for cell in row] for row in rows)


class JournalLine(Struct, frozen=True, kw_only=True):
    """A line of the journal: the state and the cents of the order with a key."""

    key: str
    state: Literal["sent", "done", "refused"]
    cents: int = 0


@dataclass
class Journal:
    """The journal of orders sent to a recruiter; `FormatError` for another file."""

    path: Path
    lines: dict[str, JournalLine] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.path.exists():
            return
        for number, text in enumerate(self.path.read_bytes().splitlines(), start=1):
            try:
                line = msgspec.json.decode(text, type=JournalLine)
            except msgspec.DecodeError as error:
                raise FormatError(
                    f"{self.path}:{number}", f"no line of a journal: {error}", code="damaged"
                ) from error
            self.lines[line.key] = line

    def write(self, line: JournalLine) -> None:
        """Add a line, and wait until it is on the disk."""
        self.lines[line.key] = line
        with self.path.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def due(self, order: RecruiterOrder) -> RecruiterOrder | None:
        """Return the part of an order that was not carried out yet, with its key; or None."""
        stem = f"{order.kind}/{order.submission}"
        before = [line for key, line in self.lines.items() if key.rpartition("/")[0] == stem]
        entries = [line for line in before if line.state != "refused"]
        if order.kind != "bonus":
            done = any(line.state == "done" for line in entries)
            return None if done else msgspec.structs.replace(order, key=f"{stem}/0")
        open_ = [line for line in entries if line.state == "sent"]
        if open_:
            return msgspec.structs.replace(order, key=open_[0].key, cents=open_[0].cents)
        paid = sum(line.cents for line in entries)
        left = order.cents - paid
        return (
            msgspec.structs.replace(order, key=f"{stem}/{paid}", cents=left) if left > 0 else None
        )


@dataclass
class Sent:
    """The result of sending orders: done, refused with the reason, and without an answer."""

    done: list[RecruiterOrder] = field(default_factory=list)
    refused: list[tuple[RecruiterOrder, str]] = field(default_factory=list)
    unknown: list[RecruiterOrder] = field(default_factory=list)


def send(
    recruiter: Recruiter,
    orders: Iterable[RecruiterOrder],
    journal: Journal,
    web: httpx.Client,
    credentials: Mapping[str, str],
) -> Sent:
    """Send the orders that were not carried out before.

    Raises:
        httpx.TransportError: The recruiter cannot be reached, or the connection broke; the journal
            has the orders sent so far.
    """
    ended = Sent()
    for order in filter(None, map(journal.due, orders)):
        before = journal.lines.get(order.key)
        if before and before.state == "sent" and order.kind not in recruiter.repeatable:
            ended.unknown.append(order)
            continue
        journal.write(JournalLine(key=order.key, state="sent", cents=order.cents))
        try:
            recruiter.send(web, order, credentials)
        except OrderRefusedError as error:
            journal.write(JournalLine(key=order.key, state="refused", cents=order.cents))
            ended.refused.append((order, str(error)))
        else:
            journal.write(JournalLine(key=order.key, state="done", cents=order.cents))
            ended.done.append(order)
    return ended
