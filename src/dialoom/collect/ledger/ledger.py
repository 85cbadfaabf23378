"""The ledger: a row for each payment, bonus and rejection, booked once for its key.

Rules and sums are STAR's (Mosig et al. 2020, appendix B), set in collect/settings.py. Money is in
cents. Programs are not paid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from dialoom.collect.log.change import Paid
from dialoom.collect.log.record import Booked, is_bot
from dialoom.collect.settings import Pay, Stage
from dialoom.collect.stage_rules import QuizLimits
from dialoom.collect.unit import WorkItem
from dialoom.dialogue.annotation import Struct

MINUTE = 60_000
"""Milliseconds of a minute."""

PaymentKind = Literal["payment", "bonus", "rejection"]


class Payment(Struct, frozen=True, kw_only=True):
    """A payment, bonus or rejection to be booked; `key` names it within its assignment."""

    key: str
    kind: PaymentKind
    cents: int
    reason: str


class Ledger:
    """The rows booked so far."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, Booked]] = []
        self._by_key: dict[str, Booked] = {}
        self._by_assignment: dict[int, list[Booked]] = {}

    def apply(self, time: int, row: Booked) -> None:
        """Add a row that was booked at `time` (ms)."""
        self.rows.append((time, row))
        self._by_key[row.key] = row
        if row.assignment is not None:
            self._by_assignment.setdefault(row.assignment, []).append(row)

    def entries(
        self, assignment: int, worker: str, payments: Sequence[Payment]
    ) -> Iterator[tuple[Booked, Paid]]:
        """Yield the ledger row and the database claim of each payment that is not booked yet."""
        for payment in payments:
            key = f"{payment.key}/{assignment}"
            if key in self._by_key or is_bot(worker):
                continue
            row = Booked(
                key=key,
                worker=worker,
                kind=payment.kind,
                cents=payment.cents,
                reason=payment.reason,
                assignment=assignment,
            )
            yield row, Paid(key=key, worker=worker, cents=payment.cents)

    def of(self, assignment: int) -> Sequence[Booked]:
        """Return the rows of an assignment."""
        return self._by_assignment.get(assignment, ())

    def reached(self, budget: int | None, owed: int = 0) -> bool:
        """True if as many cents are booked, or `owed` for work under review, as a budget has."""
        return budget is not None and owed + sum(row.cents for _, row in self.rows) >= budget

    def totals(self) -> dict[str, Any]:
        """Return rows and cents by kind, and the sum."""
        count: Counter[str] = Counter()
        cents: Counter[str] = Counter()
        for _, row in self.rows:
            count[row.kind] += 1
            cents[row.kind] += row.cents
        kinds: tuple[PaymentKind, ...] = ("payment", "bonus", "rejection")
        return {
            **{kind: {"rows": count[kind], "cents": cents[kind]} for kind in kinds},
            "cents": sum(cents.values()),
        }


def tutorial_base(pay: Pay, stage: Stage) -> int:
    """Return the cents for the tutorial of a stage, without bonuses."""
    return pay.tutorial if stage.pay is None else stage.pay


def tutorial(pay: Pay, stage: Stage, quiz: QuizLimits, hints: int) -> tuple[Payment, ...]:
    """Return the payments for a tutorial, given the hints used in its quiz (appendix B)."""
    if hints >= quiz.fewer_to_be_paid:
        return (Payment(key="reject", kind="rejection", cents=0, reason="too_many_hints"),)
    cents = tutorial_base(pay, stage)
    base = Payment(key="pay", kind="payment", cents=cents, reason="tutorial")
    if hints == 0:
        return base, Payment(key="hints", kind="bonus", cents=pay.no_hint, reason="no_hint")
    if hints <= quiz.few:
        return base, Payment(key="hints", kind="bonus", cents=pay.few_hints, reason="few_hints")
    return (base,)


def unit(pay: Pay, stage: Stage, item: WorkItem, many: int = 1) -> tuple[Payment, ...]:
    """Return the payments for `many` units of work: their stage's, or a dialogue's (appendix B)."""
    if stage.pay is not None:
        return (Payment(key="pay", kind="payment", cents=many * stage.pay, reason="work"),)
    if item.group != "multi":
        return (Payment(key="pay", kind="payment", cents=many * pay.single, reason="dialogue"),)
    base = Payment(key="pay", kind="payment", cents=pay.multi, reason="dialogue_multi")
    if len(item.content.get("instructions", ())) < pay.long_from:
        return (base,)
    return base, Payment(key="long", kind="bonus", cents=pay.long, reason="long_instructions")


def wait(pay: Pay, time: int) -> tuple[Payment, ...]:
    """Return the payment for `time` ms of waiting without a partner; none below a cent."""
    cents = pay.waiting * min(max(time, 0), pay.waited_most * MINUTE) // MINUTE
    return (Payment(key="wait", kind="payment", cents=cents, reason="waiting"),) if cents else ()


def part(pay: Pay, time: int, whole: Sequence[Payment]) -> tuple[Payment, ...]:
    """Return the pay for `time` ms in a unit that a worker left: pro rata, at most `whole`."""
    cents = min(pay.part * max(time, 0) // MINUTE, sum(payment.cents for payment in whole))
    return (Payment(key="part", kind="payment", cents=cents, reason="part"),) if cents else ()


def top(pay: Pay, stage: Stage, group: str) -> tuple[Payment, ...]:
    """Return the bonus for a dialogue of one of the best workers: none for pay of the stage's own.

    Args:
        group: `single` or `multi`, the group of the dialogue's scenario (appendix B).
    """
    cents = pay.top_multi if group == "multi" else pay.top_single
    bonus = Payment(key="top", kind="bonus", cents=cents, reason="top_workers")
    return (bonus,) if cents and stage.pay is None else ()
