"""A run on a Ray cluster: one task a shard, as many at a time as there are workers.

    with RayPool(plan, folder, workers=8) as pool:
        for done in pool: ...

Takes the cluster that this process is connected to, else the one that `RAY_ADDRESS` names, else
starts one on this machine and ends it afterwards. `folder` must be on a disk that every machine of
the cluster has. A worker that is lost has its shards made again by another one.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any

import ray

from dialoom.corpus.cluster import joined
from dialoom.corpus.forks import Failure
from dialoom.corpus.shards import Shard
from dialoom.errors import DialoomError, MissingDataError
from dialoom.sim.core.plan import Plan
from dialoom.sim.core.run import Maker, WorkerLostError, check_workers


class RayPool:
    """Makes all shards of a plan on a cluster; iterate over it for what gets done."""

    def __init__(self, plan: Plan, folder: Path, workers: int) -> None:
        check_workers(workers)
        self._plan, self._folder = plan, folder.absolute()
        self._workers = min(workers, len(plan.shards))
        self._cluster = joined(self._workers)
        self._waiting: list[Any] = []

    def __enter__(self) -> RayPool:
        self._cluster.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for task in self._waiting:
            ray.cancel(task, force=True)
        self._waiting.clear()
        self._cluster.__exit__(kind, error, trace)

    def __iter__(self) -> Iterator[int | Shard]:
        plan = ray.put(pickle.dumps(self._plan))
        make = ray.remote(max_retries=3)(_make)
        tasks = (make.remote(plan, number, str(self._folder)) for number in self._plan.shards)
        self._waiting = list(islice(tasks, self._workers))
        while self._waiting:
            (ready,), self._waiting = ray.wait(self._waiting, num_returns=1)
            self._waiting += islice(tasks, 1)
            shard = self._received(ready)
            yield shard.dialogues
            yield shard

    def _received(self, task: Any) -> Shard:
        try:
            done: Shard | Failure = ray.get(task)
        except ray.exceptions.RayTaskError:  # a bug of ours: it keeps its traceback
            raise
        except ray.exceptions.RayError as error:
            raise WorkerLostError(
                f"a shard was lost on the cluster; the same command goes on from here: {error}"
            ) from error
        if isinstance(done, Failure):
            raise done.error()
        if not (self._folder / done.name).is_file():
            raise MissingDataError(
                f"{self._folder / done.name}: made on another machine and not to be seen here; "
                "name a folder on a disk that all machines of the cluster share"
            )
        return done


@lru_cache(maxsize=1)
def _maker(plan: bytes) -> Maker:
    """Return what makes the shards of a plan; a worker makes it ready once."""
    return Maker(pickle.loads(plan))


def _make(plan: bytes, number: int, folder: str) -> Shard | Failure:
    """Make one shard, on a machine of the cluster."""
    try:
        *_, shard = _maker(plan).shard(number, Path(folder))
    except DialoomError as error:
        return Failure.of(error)
    if not isinstance(shard, Shard):  # what comes last is the shard
        raise TypeError(f"shard {number} came to nothing")
    return shard
