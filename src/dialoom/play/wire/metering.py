"""What participants behind a wire cost, and how much they may: requests, tokens, money and time.

    budget = Budget(WireLimits(calls=1000, cost=2.0, prices=(0.5, 1.5), rate=5.0))
    meter = Meter(budget)               # one for each dialogue
    with meter.request(): ...           # waits for its turn; BudgetError once it is all spent
    meter.tokens(read=812, written=40)
    meter.spent.cost

One budget is shared by all dialogues of a run: by its workers, and by the command that goes on with
it after it was interrupted, where the account is kept in a file.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError, UsageError

MILLION = 1_000_000
"""Tokens that prices are told of."""


class BudgetError(DialoomError):
    """What a run may spend is spent; what was played so far is whole and stays."""


class WireLimits(Struct, frozen=True, kw_only=True):
    """What the participants of a run behind a wire may spend.

    Attributes:
        timeout: Seconds that an answer may take.
        rate: Requests a second at most; None is as many as there are.
        calls: Requests in all, those made again included.
        cost: Money in all, in the currency of the prices.
        prices: Of a million tokens that a model reads, and that it writes.

    Raises:
        UsageError: A cost is limited and no price is known.
    """

    timeout: float = 30.0
    rate: float | None = None
    calls: int | None = None
    cost: float | None = None
    prices: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.cost is not None and self.prices is None:
            raise UsageError("--max-cost needs --prices, such as 0.5,1.5 for a million tokens")

    @property
    def budgeted(self) -> bool:
        """Whether a run may end before all is played."""
        return self.calls is not None or self.cost is not None


class Spent(msgspec.Struct, omit_defaults=True):
    """What was spent.

    Attributes:
        calls: Requests made.
        read: Tokens read by a model.
        written: Tokens written by it.
        cost: Money, where prices are known.
        seconds: Seconds that answers took.
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    cost: float = 0.0
    seconds: float = 0.0


class Account(msgspec.Struct):
    """What all dialogues of a run spent so far.

    Attributes:
        calls: Requests made.
        cost: Money.
        free: When the next request may be made, in seconds.
    """

    calls: int = 0
    cost: float = 0.0
    free: float = 0.0


class Budget:
    """What is left to be spent by all dialogues of a run.

    Args:
        limits: How much that is.
        file: Keeps the account for all processes of the run; in memory where None.
        clock: Seconds that pass, the same for all processes.
        wait: Waits some seconds.
    """

    def __init__(
        self,
        limits: WireLimits,
        file: Path | None = None,
        clock: Callable[[], float] = time.time,
        wait: Callable[[float], Any] = time.sleep,
    ) -> None:
        self.limits, self.clock, self.wait = limits, clock, wait
        self._file = file if limits.budgeted or limits.rate else None
        self._lock = threading.Lock()
        self._account = Account()

    def begin(self) -> None:
        """Take a request out of the budget, and wait until it may be made.

        Raises:
            BudgetError: None is left, or no money.
        """
        limits = self.limits
        with self._opened() as account:
            if limits.calls is not None and account.calls >= limits.calls:
                raise BudgetError(f"all {limits.calls} requests are made; {_GO_ON}")
            if limits.cost is not None and account.cost >= limits.cost:
                raise BudgetError(f"{account.cost:.4f} of {limits.cost} is spent; {_GO_ON}")
            account.calls += 1
            now = self.clock()
            turn = max(now, account.free)
            account.free = turn + (1 / limits.rate if limits.rate else 0.0)
        if turn > now:
            self.wait(turn - now)

    def pay(self, cost: float) -> None:
        """Note that money was spent."""
        with self._opened() as account:
            account.cost += cost

    @contextmanager
    def _opened(self) -> Iterator[Account]:
        """Give the account to one at a time; what is changed of it is kept."""
        with self._lock:
            if self._file is None:
                yield self._account
                return
            with closing(sqlite3.connect(self._file, timeout=60, isolation_level=None)) as base:
                base.execute("BEGIN IMMEDIATE")
                base.execute("CREATE TABLE IF NOT EXISTS account (calls, cost, free)")
                row = base.execute("SELECT calls, cost, free FROM account").fetchone()
                account = Account(*(row or ()))
                yield account
                base.execute("DELETE FROM account")
                values = msgspec.structs.astuple(account)
                base.execute("INSERT INTO account VALUES (?, ?, ?)", values)
                base.execute("COMMIT")


_GO_ON = "whole shards are kept, and the same command with more of it goes on from there"


class Meter:
    """What one dialogue spends.

    Args:
        budget: What it is taken from; without one there is no limit.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(WireLimits())
        self.spent = Spent()

    @property
    def timeout(self) -> float:
        """Seconds that an answer may take."""
        return self.budget.limits.timeout

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count what is done in the block as one request.

        Raises:
            BudgetError: The budget is spent.
        """
        self.budget.begin()
        began = self.budget.clock()
        try:
            yield
        finally:
            self.spent.calls += 1
            self.spent.seconds = round(self.spent.seconds + self.budget.clock() - began, 3)

    def tokens(self, read: int, written: int) -> None:
        """Count the tokens of an answer, and what they cost."""
        self.spent.read += read
        self.spent.written += written
        prices = self.budget.limits.prices
        if prices is not None:
            cost = (read * prices[0] + written * prices[1]) / MILLION
            self.spent.cost = round(self.spent.cost + cost, 9)
            self.budget.pay(cost)
