"""Engines: local processes or a Ray cluster, which write the shards of a plan in any order.

    with ENGINES.get("processes")(plan, folder, workers=2) as pool:
        for done in pool: ...       # numbers of dialogues, and shards as they are finished

A shard is a function of the plan and its number, so that every engine writes the same bytes, and
one engine can finish a run that another began.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from dialoom.corpus.shards import Shard
from dialoom.registry import Registry
from dialoom.sim.core.plan import Plan

DEFAULT = "processes"


class Engine(Protocol):
    """Makes all shards of a plan."""

    def __call__(
        self, plan: Plan, folder: Path, workers: int
    ) -> AbstractContextManager[Iterable[int | Shard]]:
        """Return the pool, an iterator over counts of dialogues and finished shards.

        `folder` is that of the corpus; existing shards are kept. `workers` is the number of shards
        at a time; `UsageError` below 1.
        """


ENGINES: Registry[Engine] = Registry(
    "engine",
    "dialoom.engines",
    {
        "processes": "dialoom.sim.core.run:WorkerPool",
        "ray": "dialoom.sim.core.run:shards_on_ray",
    },
)
