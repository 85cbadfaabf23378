"""Work in a process of its own that reports how far it is.

job = Job(index, path)           # index(report, path) calls report(state) now and then
for state in job: ...            # until the process ends
job.stop()

A process that is stopped, because the server ends too, cleans up: its blocks end with `SystemExit`.
One whose server is gone ends at its next report.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Generic, TypeVar

R = TypeVar("R")


class Job(Generic[R]):
    """A process that carries out a function and sends its reports; `stopped` after `stop`."""

    def __init__(self, work: Callable[..., None], *args: Any) -> None:
        context = multiprocessing.get_context("spawn")
        self._reports, sender = context.Pipe(duplex=False)
        self._process = context.Process(target=_run, args=(sender, work, args), daemon=True)
        self._process.start()
        self.stopped = False
        sender.close()

    def __iter__(self) -> Iterator[R]:
        """Yield the reports of the process as they arrive, until it has ended."""
        with suppress(EOFError):
            while True:
                yield self._reports.recv()
        self._process.join()

    @property
    def code(self) -> int | None:
        """The exit code of the process; None while it goes on."""
        return self._process.exitcode

    def stop(self) -> None:
        """Stop the process, and wait until it has cleaned up."""
        self.stopped = True
        self._process.terminate()
        self._process.join()


def _run(sender: Connection, work: Callable[..., None], args: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server gets it too, and stops its jobs
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    with suppress(BrokenPipeError):
        work(sender.send, *args)
