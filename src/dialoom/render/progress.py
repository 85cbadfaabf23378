"""Progress on standard error: a bar on a terminal, else a line every ten seconds.

with progress_bar("hold-outs", 13) as bar:
    bar.now("weather")          # dialoom: hold-outs: 3 of 13, 41 s, weather
    bar.advance()
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

SECONDS = 10.0
"""Seconds between two lines if standard error is no terminal."""


class ProgressBar:
    """Counts finished items and shows the progress; this one shows nothing."""

    def advance(self, count: int = 1) -> None:
        """Count `count` more items as finished."""

    def now(self, what: str) -> None:
        """Show what is being done."""


def track(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield `items` while a progress bar shows how many of `total` are done."""
    with progress_bar(what, total) as bar:
        for item in items:
            yield item
            bar.advance()


_SHOWN = ContextVar("shown", default=True)


@contextmanager
def shown(visible: bool) -> Iterator[None]:
    """Show progress in the block, or none."""
    before = _SHOWN.set(visible)
    try:
        yield
    finally:
        _SHOWN.reset(before)


@contextmanager
def progress_bar(what: str, total: int | None = None) -> Iterator[ProgressBar]:
    """Show count, rate and remaining time while the block runs; yields the counter."""
    if not _SHOWN.get():
        yield ProgressBar()
        return
    with _drawn(what, total) if sys.stderr.isatty() else closing(_LoggedBar(what, total)) as bar:
        yield bar


class _LoggedBar(ProgressBar):
    """Writes the progress as a line every ten seconds.

    A thread writes, so that there are lines during a single long step too. It bypasses Python's
    buffers, whose locks a forked process would inherit.
    """

    def __init__(self, what: str, total: int | None) -> None:
        self._what, self._total = what, total
        self._done, self._now, self._began = 0, "", time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._write, name="progress", daemon=True)
        self._thread.start()

    def advance(self, count: int = 1) -> None:
        self._done += count

    def now(self, what: str) -> None:
        self._now = what

    def close(self) -> None:
        self._over.set()
        # a generator that an error left open is closed as Python ends, when no thread runs on
        if not sys.is_finalizing():
            self._thread.join()

    def _write(self) -> None:
        while not self._over.wait(SECONDS):
            of = "" if self._total is None else f" of {self._total}"
            doing = f", {self._now}" if self._now else ""
            passed = time.monotonic() - self._began
            line = f"dialoom: {self._what}: {self._done}{of}, {passed:.0f} s{doing}\n"
            os.write(2, line.encode(errors="replace"))


@contextmanager
def _drawn(what: str, total: int | None) -> Iterator[ProgressBar]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Any) -> Text:
            return Text(f"{task.speed:,.0f} a second" if task.speed else "")

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)

        class Drawn(ProgressBar):
            def advance(self, count: int = 1) -> None:
                progress.advance(task, count)

            def now(self, doing: str) -> None:
                progress.update(task, description=escape(f"{what}: {doing}"))

        yield Drawn()
