"""Counts and limits what remote participants cost: requests, tokens, money and time.

    budget = Budget(WireLimits(calls=1000, cost=2.0, prices=(0.5, 1.5), rate=5.0))
    meter = Meter(budget)               # one for each dialogue
    with meter.request(): ...           # waits for its turn; BudgetError once it is all spent
    meter.tokens(read=812, written=40)
    meter.spent.cost

All dialogues of a run share one budget. With its account in a file, so do all worker processes, and
the command that continues an interrupted run.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.annotation import Struct
from dialoom.errors import DialoomError, OutputError, UsageError, clip
from dialoom.http.settings import DEFAULT, WireSettings, read_settings

MILLION = 1_000_000
"""The number of tokens that prices are for."""


STOPPED: ContextVar[threading.Event | None] = ContextVar("stopped", default=None)
"""The event of a thread's run, set when that has ended: the thread makes no more requests."""


class BudgetError(DialoomError):
    """The budget of a run is spent; the dialogues played so far stay."""

    code = "spent"


class WireLimits(Struct, frozen=True, kw_only=True):
    """The limits of what the remote participants of a run cost.

    Attributes:
        timeout: The most seconds that an answer may take.
        rate: The most requests per second; None for no limit.
        calls: The most requests of the run, repeated ones included; None for no limit.
        cost: The most money, in the currency of the prices; None for no limit.
        prices: The prices of a million tokens that a model reads, and that it writes.
        settings: Side (agent, user) to the settings of its requests, where they are not the usual.

    Raises:
        UsageError: The cost is limited and there are no prices.
    """

    timeout: float = 30.0
    rate: float | None = None
    calls: int | None = None
    cost: float | None = None
    prices: tuple[float, float] | None = None
    settings: dict[str, WireSettings] = {}

    def __post_init__(self) -> None:
        if self.cost is not None and self.prices is None:
            raise UsageError(
                "--max-cost needs --prices, such as 0.5,1.5 for a million tokens", code="not-given"
            )

    @property
    def budgeted(self) -> bool:
        """True if the budget can end a run before all dialogues are played."""
        return self.calls is not None or self.cost is not None


def read_limits(
    *,
    timeout: float = 30.0,
    rate: float | None = None,
    max_calls: int | None = None,
    max_cost: float | None = None,
    prices: str | None = None,
    agent_settings: str | None = None,
    user_settings: str | None = None,
) -> WireLimits:
    """Return the limits of `dialoom play`'s options; `UsageError` for a wrong one."""
    texts = {"agent": agent_settings, "user": user_settings}
    return WireLimits(
        timeout=timeout,
        rate=rate,
        calls=max_calls,
        cost=max_cost,
        prices=read_prices(prices, "--prices"),
        settings={
            side: read_settings(text, f"--{side}-settings")
            for side, text in texts.items()
            if text is not None
        },
    )


def read_prices(text: str | None, option: str) -> tuple[float, float] | None:
    """Return the prices of a million tokens, read and written; `UsageError` for other texts."""
    if text is None:
        return None
    try:
        read, write = map(float, text.split(","))
    except ValueError:
        read = write = -1.0
    if not (0 <= read < float("inf") and 0 <= write < float("inf")):
        raise UsageError(f"{option} {clip(text)}: should be two prices, such as 0.5,1.5")
    return read, write


def cost_of(read: int, written: int, prices: tuple[float, float]) -> float:
    """Return what tokens cost by the prices of a million."""
    return (read * prices[0] + written * prices[1]) / MILLION


class Spent(msgspec.Struct, omit_defaults=True):
    """Expenses of one side of a dialogue.

    Attributes:
        calls: Number of requests.
        read: Number of tokens that the model read.
        written: Number of tokens that it wrote.
        each: Seconds of each answer.
        unmetered: Number of answers for which the server reported no tokens.
    """

    calls: int = 0
    read: int = 0
    written: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    each: list[float] = []
    unmetered: int = 0


class Account(msgspec.Struct):
    """Expenses of a run so far; the next request may be made from `free` on (clock's s)."""

    calls: int = 0
    cost: float = 0.0
    free: float = 0.0


class Budget:
    """The budget of a run.

    Args:
        file: The file of the account, shared by all processes of the run; None for memory.
        clock: Returns the time in seconds, the same in all processes.
    """

    def __init__(
        self,
        limits: WireLimits,
        file: Path | None = None,
        clock: Callable[[], float] = time.time,
        wait: Callable[[float], Any] = time.sleep,
    ) -> None:
        self.limits, self.clock, self.wait = limits, clock, wait
        has_past = file is not None and file.is_file()  # of a run that had limits so far
        self._file = file if limits.budgeted or limits.rate or has_past else None
        self._lock = threading.Lock()
        self._account = Account()

    def begin(self) -> None:
        """Wait for the next request's turn, and count it.

        Raises:
            BudgetError: The budget is spent, or the run has ended.
        """
        limits = self.limits
        _check_running()
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
            _check_running()

    def pay(self, cost: float) -> None:
        """Note that money was spent."""
        with self._opened() as account:
            account.cost += cost

    @property
    def total(self) -> dict[str, Any]:
        """The requests (`calls`) and the `cost` so far, of all processes."""
        with self._opened() as account:
            return {"calls": account.calls, "cost": round(account.cost, 9)}

    @contextmanager
    def _opened(self) -> Iterator[Account]:
        with self._lock:
            if self._file is None:
                yield self._account
                return
            try:
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
            except sqlite3.OperationalError as error:
                raise OutputError(f"{self._file}: cannot be written: {error}") from error


def _check_running() -> None:
    stopped = STOPPED.get()
    if stopped is not None and stopped.is_set():
        raise BudgetError("the run has ended")


_GO_ON = "what is played is kept, and the same command with more of it goes on from there"


class Meter:
    """Meter of one dialogue; without a budget there is no limit."""

    def __init__(self, budget: Budget | None = None, side: str = "agent") -> None:
        self.budget = budget or Budget(WireLimits())
        self.settings = self.budget.limits.settings.get(side, DEFAULT)
        self.spent = Spent()

    @property
    def timeout(self) -> float:
        """The most seconds that an answer may take."""
        return self.budget.limits.timeout

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count the block as one request; `BudgetError` if the budget is spent."""
        self.budget.begin()
        began = self.budget.clock()
        try:
            yield
        finally:
            took = round(self.budget.clock() - began, 3)
            self.spent.calls += 1
            self.spent.seconds = round(self.spent.seconds + took, 3)
            self.spent.each.append(took)

    def tokens(self, read: int, written: int) -> None:
        """Count the tokens of an answer and their cost; 0 of both where the server reports none.

        Raises:
            UsageError: The cost is limited, and the server reports none.
        """
        limits = self.budget.limits
        if limits.cost is not None and not (read or written):
            raise UsageError(
                "--max-cost needs a server that reports tokens; its answer has no usage"
            )
        self.spent.unmetered += not (read or written)
        self.spent.read += read
        self.spent.written += written
        if limits.prices is not None:
            cost = cost_of(read, written, limits.prices)
            self.spent.cost = round(self.spent.cost + cost, 9)
            self.budget.pay(cost)
