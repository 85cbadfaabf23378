"""What participants behind a wire may spend."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.errors import OutputError, UsageError
from dialoom.http.metering import Budget, BudgetError, Meter, WireLimits
from tests.make import refuses


class Clock:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.now += seconds


def test_requests_wait_for_their_turn() -> None:
    clock = Clock()
    budget = Budget(WireLimits(rate=2.0), clock=clock, wait=clock.wait)
    for _ in range(5):
        with Meter(budget).request():
            clock.now += 0.1
    assert clock.now == pytest.approx(2.1)


def test_requests_are_counted_over_all_dialogues() -> None:
    budget = Budget(WireLimits(calls=3))
    meters = [Meter(budget) for _ in range(4)]
    for meter in meters[:3]:
        with meter.request():
            pass
    with refuses(BudgetError, "spent", "3"), meters[3].request():
        pass
    assert [meter.spent.calls for meter in meters] == [1, 1, 1, 0]


def test_an_account_in_a_file_is_kept_for_all_processes(tmp_path: Path) -> None:
    limits, file = WireLimits(calls=2, cost=1.0, prices=(1.0, 1.0)), tmp_path / "spent"
    first, second = Meter(Budget(limits, file)), Meter(Budget(limits, file))
    for meter in (first, second):
        with meter.request():
            meter.tokens(read=100_000, written=0)
    with refuses(BudgetError, "spent", "2"), first.request():
        pass
    more = Budget(WireLimits(calls=9, cost=0.2, prices=(1.0, 1.0)), file)
    with refuses(BudgetError, "spent", "0.2000", "0.2"):
        more.begin()


def test_an_account_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    budget = Budget(WireLimits(calls=2), tmp_path / "gone" / "spent")
    with refuses(OutputError, "unwritable", "gone"):
        budget.begin()


def test_money_is_spent_by_tokens() -> None:
    meter = Meter(Budget(WireLimits(cost=0.004, prices=(1.0, 10.0))))
    for _ in range(2):
        with meter.request():
            meter.tokens(read=1000, written=100)
    assert meter.spent.cost == pytest.approx(0.004)
    assert (meter.spent.read, meter.spent.written) == (2000, 200)
    with refuses(BudgetError, "spent", "0.0040", "0.004"), meter.request():
        pass


def test_a_limit_of_money_needs_reported_tokens() -> None:
    meter = Meter(Budget(WireLimits(prices=(1.0, 10.0))))
    meter.tokens(0, 0)
    meter.tokens(5, 0)
    assert meter.spent.unmetered == 1
    with refuses(UsageError, "cannot-work", "--max-cost", "usage"):
        Meter(Budget(WireLimits(cost=1.0, prices=(1.0, 10.0)))).tokens(0, 0)


def test_a_limit_of_money_needs_prices() -> None:
    with refuses(UsageError, "not-given", "--prices"):
        WireLimits(cost=1.0)
