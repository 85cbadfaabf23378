"""Work shared among processes whose results come in order.

    for result in shared(work, items, workers=2): ...

    with sharing(2):                                # what is called in the block may share, too
        for result in shared(work, items): ...

A process is forked for each item and inherits it, so that only results are sent.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Generic, TypeVar

from dialoom.errors import DialoomError, UsageError

T = TypeVar("T")
R = TypeVar("R")


_ALLOWED: ContextVar[int] = ContextVar("allowed", default=1)


@contextmanager
def sharing(workers: int) -> Iterator[None]:
    """Set the number of processes that work inside the block may be shared among."""
    token = _ALLOWED.set(workers)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def shared(work: Callable[[T], R], items: Iterable[T], workers: int | None = None) -> Iterator[R]:
    """Yield what `work` returns for each item, in order.

    Args:
        work: Works on an item; what it returns can be pickled.
        workers: The number of items at a time; as `sharing` allows when absent. With one, or
            where processes cannot be forked, this process does it all.

    Raises:
        DialoomError: The work raised it; so with OSError.
        UsageError: A process died.
    """
    workers = workers or _ALLOWED.get()
    if workers == 1 or "fork" not in multiprocessing.get_all_start_methods():
        yield from map(work, items)
        return
    forks: deque[_Fork[R]] = deque()  # in the order of their items; some have finished
    try:
        for item in items:
            forks.append(_Fork(work, item))
            _finish(forks, workers - 1)
            while forks and forks[0].done is not None:
                yield forks.popleft().result()
        _finish(forks, 0)
        while forks:
            yield forks.popleft().result()
    finally:
        for fork in forks:
            fork.end()


def _finish(forks: Iterable[_Fork[R]], most: int) -> None:
    busy = {fork.receiver: fork for fork in forks if fork.done is None}
    while len(busy) > most:
        for receiver in wait(list(busy)):
            if isinstance(receiver, Connection):
                busy.pop(receiver).receive()


class _Fork(Generic[R]):
    """A process that works on one item; `done` is the result in a tuple, or its error."""

    def __init__(self, work: Callable[[T], R], item: T) -> None:
        context = multiprocessing.get_context("fork")
        self.done: tuple[R] | Exception | None = None
        self.receiver, sender = context.Pipe(duplex=False)
        self._process: BaseProcess = context.Process(
            target=_work, args=(work, item, sender), daemon=True
        )
        self._process.start()
        sender.close()

    def receive(self) -> None:
        try:
            self.done = self.receiver.recv()
        except EOFError:
            what = "a worker process died; try again with fewer --workers"
            self.done = UsageError(what, code="worker-lost")
        self.end()

    def result(self) -> R:
        if isinstance(self.done, tuple):
            return self.done[0]
        assert self.done is not None
        raise self.done

    def end(self) -> None:
        self._process.terminate()
        self._process.join()
        self.receiver.close()


def _work(work: Callable[[T], R], item: T, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process gets it too, and ends us
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # what is inherited is not looked through, so that its memory stays shared
    _ALLOWED.set(1)  # a process that shares work has no processes of its own
    done: tuple[R] | DialoomError | OSError
    try:
        done = (work(item),)
    except (DialoomError, OSError) as error:
        done = error
    with suppress(BrokenPipeError):  # the parent process is gone
        sender.send(done)
