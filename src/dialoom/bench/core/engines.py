"""Engines: local processes or a Ray cluster, which fit a plan's hold-outs in any order.

Every hold-out gets a fresh model, so every engine gives the same answers.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Protocol, TypeVar

from dialoom.errors import UsageError
from dialoom.registry import Registry

T = TypeVar("T")
R = TypeVar("R")

DEFAULT = "processes"


class FittingEngine(Protocol):
    """Calls a function for each of several jobs, some of them at the same time."""

    def __call__(
        self,
        work: Callable[[Any], R],
        jobs: Sequence[Any],
        workers: int,
        progress: Callable[[Sequence[Any]], None],
    ) -> Iterator[R]:
        """Yield the result of each job as it is done; jobs and `work` are pickled.

        `progress` is called with the jobs in progress whenever they change. `UsageError` if a
        process dies, as a rule because memory ran out.
        """


def processes(
    work: Callable[[T], R], jobs: Sequence[T], workers: int, progress: Callable[[Sequence[T]], None]
) -> Iterator[R]:
    """Do jobs on this machine: in this process where `workers` is 1, else in several."""
    if workers <= 1 or len(jobs) <= 1:
        for job in jobs:
            progress([job])
            yield work(job)
        return
    # spawn: forking a process whose progress bar and numerical libraries have threads may hang.
    pool = ProcessPoolExecutor(min(workers, len(jobs)), get_context("spawn"), initializer=_quiet)
    try:
        waiting = {pool.submit(work, job): job for job in jobs}
        progress(jobs[:workers])
        for done in as_completed(tuple(waiting)):
            del waiting[done]
            progress(list(waiting.values())[:workers])
            yield done.result()
    except BrokenProcessPool as error:
        raise UsageError("a worker process died; try again with fewer --workers") from error
    finally:
        pool.shutdown(cancel_futures=True)


def _quiet() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


ENGINES: Registry[FittingEngine] = Registry(
    "engine",
    "dialoom.bench_engines",
    {DEFAULT: "dialoom.bench.core.engines:processes", "ray": "dialoom.corpus.cluster:on_cluster"},
)
