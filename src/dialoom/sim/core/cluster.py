"""A run on a Ray cluster: one task a shard, as many at a time as there are workers.

    with shards_on_ray(plan, folder, workers=8) as pool:
        for done in pool: ...

`folder` must be on a disk that every machine of the cluster has. Another worker redoes the shards
of a lost one.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from dialoom.corpus.cluster import TaskLostError, on_cluster
from dialoom.corpus.shards import Shard
from dialoom.errors import MissingDataError
from dialoom.sim.core.plan import Plan
from dialoom.sim.core.run import Maker, WorkerLostError, check_workers


def shards_on_ray(
    plan: Plan, folder: Path, workers: int
) -> closing[Generator[int | Shard, None, None]]:
    """Write all shards of a plan on a cluster; yields as `Engine` does.

    Raises `UsageError` for fewer than one worker, `MissingDataError` for a shard on a disk that
    this machine cannot see, `WorkerLostError` if the cluster gave a shard up.
    """
    check_workers(workers)
    return closing(_made(plan, folder.absolute(), min(workers, len(plan.shards))))


def _made(plan: Plan, folder: Path, workers: int) -> Generator[int | Shard, None, None]:
    try:
        for shard in on_cluster(_ShardMaker(plan, folder), plan.shards, workers):
            if not (folder / shard.name).is_file():
                raise MissingDataError(
                    f"{folder / shard.name}: written on another machine and missing on this one; "
                    "name a folder on a disk that all machines of the cluster share"
                )
            yield shard.dialogues
            yield shard
    except TaskLostError as error:
        raise WorkerLostError(f"{error}; the same command goes on from here") from error


@dataclass
class _ShardMaker:
    plan: Plan
    folder: Path

    @cached_property
    def _maker(self) -> Maker:
        return Maker(self.plan)

    def __call__(self, number: int) -> Shard:
        *_, shard = self._maker.shard(number, self.folder)
        if not isinstance(shard, Shard):  # `Maker.shard` yields it last
            raise TypeError(f"shard {number}: expected a Shard, not {shard!r}")
        return shard
