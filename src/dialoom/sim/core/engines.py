"""Engines: who carries out a plan. Each maps the numbers of shards to shards, in any order.

    with ENGINES.get("processes")(plan, folder, workers=2) as pool:
        for done in pool: ...       # numbers of dialogues, and shards as they are finished

A shard is a function of the plan and its number, so that every engine gives the same bytes, and a
run that one of them left unfinished can be ended by another.
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
        """Return the pool: iterated over, it gives counts of dialogues and finished shards.

        Args:
            plan: What to make.
            folder: Where; shards that are there already are left alone.
            workers: How many shards are made at a time.

        Raises:
            UsageError: There are no workers.
        """


ENGINES: Registry[Engine] = Registry(
    "engine",
    "dialoom.engines",
    {
        "processes": "dialoom.sim.core.run:WorkerPool",
        "ray": "dialoom.sim.core.cluster:shards_on_ray",
    },
    extra="scale",
)
