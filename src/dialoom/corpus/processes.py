"""Work shared among processes whose results come in order.

    for result in shared(work, items, workers=2): ...

A process is forked for each item and inherits it, so that only results are sent.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from dialoom.errors import DialoomError, OutputError, UsageError

T = TypeVar("T")
R = TypeVar("R")


def shared(work: Callable[[T], R], items: Iterable[T], workers: int) -> Iterator[R]:
    """Yield what `work` returns for each item, in order.

    Args:
        work: Works on an item; what it returns can be pickled.
        items: The items, read in this process.
        workers: How many are worked on at a time. With one, or where processes cannot be forked,
            this process does it all.

    Raises:
        DialoomError: The work raised it; so with OSError.
        UsageError: A process died.
    """
    if workers == 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, items)
        return
    running: deque[_Fork[R]] = deque()
    try:
        for item in items:
            running.append(_Fork(work, item))
            if len(running) == workers:
                yield running[0].result()
                running.popleft().end()
        while running:
            yield running[0].result()
            running.popleft().end()
    finally:
        for fork in running:
            fork.end()


class _Fork(Generic[R]):
    """A process that works on one item."""

    def __init__(self, work: Callable[[T], R], item: T) -> None:
        context = multiprocessing.get_context("fork")
        self._receiver, sender = context.Pipe(duplex=False)
        self._process: BaseProcess = context.Process(
            target=_work, args=(work, item, sender), daemon=True
        )
        self._process.start()
        sender.close()

    def result(self) -> R:
        """Wait for what the work returns, or raise its error."""
        try:
            done: R | Failure | OSError = self._receiver.recv()
        except EOFError:
            what = "a worker process died; try again with fewer --workers"
            raise UsageError(what) from None
        if isinstance(done, Failure):
            raise done.error()
        if isinstance(done, OSError):
            raise done
        return done

    def end(self) -> None:
        """End the process, if it has not ended."""
        self._process.terminate()
        self._process.join()
        self._receiver.close()


def _work(work: Callable[[T], R], item: T, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started us is told, and ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    done: R | Failure | OSError
    try:
        done = work(item)
    except DialoomError as error:
        done = Failure.of(error)
    except OSError as error:
        done = error
    with suppress(BrokenPipeError):  # whoever started us is gone
        sender.send(done)


@dataclass(frozen=True)
class Failure:
    """An error of ours in a worker; the errors themselves cannot all be sent."""

    text: str
    output: bool

    @classmethod
    def of(cls, error: DialoomError) -> Failure:
        """Return what is sent in place of an error."""
        return cls(str(error), isinstance(error, OutputError))

    def error(self) -> DialoomError:
        """Return the error to raise where the work was started."""
        return OutputError(self.text) if self.output else DialoomError(self.text)
