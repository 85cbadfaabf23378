"""Hold-outs fitted on a Ray cluster: one task each, as many at a time as there are workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import ray

from dialoom.corpus.cluster import joined
from dialoom.corpus.forks import Failure
from dialoom.errors import DialoomError, UsageError

T = TypeVar("T")
R = TypeVar("R")


def on_ray(
    work: Callable[[T], R],
    jobs: Sequence[T],
    workers: int,
    begun: Callable[[Sequence[T]], None],
) -> Iterator[R]:
    """Do jobs on the cluster that `RAY_ADDRESS` names, else on one started here."""
    with joined(workers):
        sent = ray.put(pickle.dumps(work))
        do = ray.remote(max_retries=3)(_do)
        tasks = ((do.remote(sent, pickle.dumps(job)), job) for job in jobs)
        waiting = dict(islice(tasks, workers))
        while waiting:
            begun(list(waiting.values()))
            (ready,), _ = ray.wait(list(waiting), num_returns=1)
            del waiting[ready]
            waiting.update(islice(tasks, 1))
            yield _received(ready)


def _received(task: Any) -> Any:
    try:
        done = ray.get(task)
    except ray.exceptions.RayTaskError:  # a bug of ours: it keeps its traceback
        raise
    except ray.exceptions.RayError as error:
        raise UsageError(f"a hold-out was lost on the cluster; try again: {error}") from error
    if isinstance(done, Failure):
        raise done.error()
    return done


def _do(work: bytes, job: bytes) -> Any:
    """Do one job, on a machine of the cluster."""
    try:
        return pickle.loads(work)(pickle.loads(job))
    except DialoomError as error:
        return Failure.of(error)
