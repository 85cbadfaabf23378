"""What is paid and why: every payment, bonus and rejection is a row, booked once by its key.

    ledger.entry("pay/8", "w2", "payment", 190, "dialogue", assignment=8)
    # (Booked(key="pay/8", …), Paid(key="pay/8", …)), or None where that key is booked already

Rules and sums are STAR's (Mosig et al. 2020, appendix B), set in collect/settings.py. Money is in
cents. Programs are not paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from dialoom.collect.log.change import Paid
from dialoom.collect.log.record import Booked, is_bot
from dialoom.collect.room.scenario import Scenario
from dialoom.collect.settings import Pay, Quiz
from dialoom.dialogue.annotation import Struct

MINUTE = 60_000
"""Milliseconds."""

Kind = Literal["payment", "bonus", "rejection"]


class Due(Struct, frozen=True, kw_only=True):
    """Something to be booked: `key` names it within the assignment or worker it is for."""

    key: str
    kind: Kind
    cents: int
    reason: str


class Ledger:
    """The rows booked so far."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, Booked]] = []
        self._by_key: dict[str, Booked] = {}
        self._by_assignment: dict[int, list[Booked]] = {}

    def __contains__(self, key: str) -> bool:
        """Tell whether a key is booked."""
        return key in self._by_key

    def apply(self, time: int, row: Booked) -> None:
        """Add a row that was booked at `time` (ms)."""
        self.rows.append((time, row))
        self._by_key[row.key] = row
        if row.assignment is not None:
            self._by_assignment.setdefault(row.assignment, []).append(row)

    def entries(
        self, assignment: int, worker: str, payments: Sequence[Due]
    ) -> Iterator[tuple[Booked, Paid]]:
        """Yield a row and its claim for each of `payments` that is not booked yet."""
        for due in payments:
            key = f"{due.key}/{assignment}"
            if key in self._by_key or is_bot(worker):
                continue
            row = Booked(
                key=key,
                worker=worker,
                kind=due.kind,
                cents=due.cents,
                reason=due.reason,
                assignment=assignment,
            )
            yield row, Paid(key=key, worker=worker, cents=due.cents)

    def of(self, assignment: int) -> Sequence[Booked]:
        """Return the rows of an assignment."""
        return self._by_assignment.get(assignment, ())

    def totals(self) -> dict[str, Any]:
        """Return rows and cents by kind, and the sum."""
        count: Counter[str] = Counter()
        cents: Counter[str] = Counter()
        for _, row in self.rows:
            count[row.kind] += 1
            cents[row.kind] += row.cents
        kinds: tuple[Kind, ...] = ("payment", "bonus", "rejection")
        return {
            **{kind: {"rows": count[kind], "cents": cents[kind]} for kind in kinds},
            "cents": sum(cents.values()),
        }


def tutorial(pay: Pay, quiz: Quiz, hints: int) -> tuple[Due, ...]:
    """Return what a tutorial with so many hints in its quiz brings (appendix B)."""
    if hints >= quiz.fewer_to_be_paid:
        return (Due(key="reject", kind="rejection", cents=0, reason="too_many_hints"),)
    base = Due(key="pay", kind="payment", cents=pay.tutorial, reason="tutorial")
    if hints == 0:
        return base, Due(key="hints", kind="bonus", cents=pay.no_hint, reason="no_hint")
    if hints <= quiz.few:
        return base, Due(key="hints", kind="bonus", cents=pay.few_hints, reason="few_hints")
    return (base,)


def dialogue(pay: Pay, scenario: Scenario) -> tuple[Due, ...]:
    """Return what a dialogue of a scenario brings (appendix B)."""
    if scenario.kind == "single":
        return (Due(key="pay", kind="payment", cents=pay.single, reason="dialogue"),)
    base = Due(key="pay", kind="payment", cents=pay.multi, reason="dialogue_multi")
    if len(scenario.instructions) < pay.long_from:
        return (base,)
    return base, Due(key="long", kind="bonus", cents=pay.long, reason="long_instructions")


def wait(pay: Pay, time: int) -> tuple[Due, ...]:
    """Return what `time` ms of waiting in vain bring; nothing below a cent."""
    cents = pay.waiting * max(time, 0) // MINUTE
    return (Due(key="wait", kind="payment", cents=cents, reason="waiting"),) if cents else ()


def top(pay: Pay, kind: str) -> Due:
    """Return what a dialogue of one of the best workers brings on top (appendix B)."""
    cents = pay.top_single if kind == "single" else pay.top_multi
    return Due(key="top", kind="bonus", cents=cents, reason="top_workers")
