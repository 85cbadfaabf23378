"""Runs jobs on a Ray cluster: one task each, as many at a time as there are workers.

    for result in on_cluster(work, jobs, workers=8): ...

Takes the cluster that this process is connected to, else the one that `RAY_ADDRESS` names, else
starts one here and ends it afterwards.
"""

from __future__ import annotations

import logging
import os
import pickle
import signal
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from typing import Any, TypeVar

import ray

from dialoom.errors import DialoomError, UsageError

T = TypeVar("T")
R = TypeVar("R")

ADDRESS = "RAY_ADDRESS"
"""Ray's environment variable with the address of a running cluster."""

STORE = 100 * 1024 * 1024
"""Shared memory (bytes) of a cluster started here; little, since shards go to files."""

PATIENCE = 10.0
"""Time limit (s) for a cluster to answer."""


class TaskLostError(UsageError):
    """A task was lost on the cluster, with the worker that had it, again and again."""

    code = "worker-lost"


def on_cluster(
    work: Callable[[T], R],
    jobs: Iterable[T],
    workers: int,
    progress: Callable[[Sequence[T]], None] = lambda jobs: None,
) -> Iterator[R]:
    """Yield what `work` returns for each job, as it is done.

    Args:
        work: Does one job; each worker gets it once.
        progress: Called with the jobs that are being done, whenever they change.

    Raises:
        DialoomError: The work raised it.
        TaskLostError: A task was lost.
        UsageError: There is no cluster where `RAY_ADDRESS` says.
    """
    with _joined(workers):
        sent = ray.put(pickle.dumps(work))
        do = ray.remote(max_retries=3)(_do)
        tasks = ((do.remote(sent, pickle.dumps(job)), job) for job in jobs)
        waiting = dict(islice(tasks, workers))
        try:
            while waiting:
                progress(list(waiting.values()))
                (ready,), _ = ray.wait(list(waiting), num_returns=1)
                del waiting[ready]
                waiting.update(islice(tasks, 1))
                yield _received(ready)
        finally:
            for task in waiting:
                ray.cancel(task, force=True)


def _received(task: Any) -> Any:
    try:
        done = ray.get(task)
    except ray.exceptions.RayTaskError:  # a bug of ours: it keeps its traceback
        raise
    except ray.exceptions.RayError as error:
        raise TaskLostError(f"a task was lost on the cluster: {error}") from error
    if isinstance(done, DialoomError):
        raise done
    return done


def _do(work: bytes, job: bytes) -> Any:
    try:
        return _loaded(work)(pickle.loads(job))
    except DialoomError as error:
        return error


@lru_cache(maxsize=1)
def _loaded(work: bytes) -> Callable[[Any], Any]:
    """Return the function that does the jobs, which each worker unpickles once."""
    loaded: Callable[[Any], Any] = pickle.loads(work)
    return loaded


@contextmanager
def _joined(workers: int) -> Iterator[None]:
    if ray.is_initialized():
        yield
        return
    _connect(workers)
    try:
        yield
    finally:
        ray.shutdown()


def _connect(workers: int) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    ended = signal.getsignal(signal.SIGTERM)  # Ray puts its own in the place of ours
    try:
        if address := os.environ.get(ADDRESS):
            _knock(address)
            ray.init(address=address, **quiet)
        else:
            ray.init(
                address="local",
                num_cpus=workers,
                object_store_memory=STORE,
                include_dashboard=False,
                **quiet,
            )
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"no Ray cluster to work on: {error}; see {ADDRESS}") from error
    finally:
        signal.signal(signal.SIGTERM, ended)


def _knock(address: str) -> None:
    """Raise at once if no cluster answers at the address; Ray itself would try for minutes."""
    host, _, port = address.rpartition(":")
    if host and port.isdecimal() and "/" not in host:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
