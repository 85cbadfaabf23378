"""Runs of two small tasks, and work for engines."""

from __future__ import annotations

from pathlib import Path

from dialoom.corpus.shards import Shard
from dialoom.errors import MissingExtraError
from dialoom.sim.core.run import WorkerPool
from dialoom.sim.presets.star import StarPlan
from tests.sim.designs import boat, guide

TASKS = (boat(), guide())


def plan(dialogues: int = 50, shard: int = 8) -> StarPlan:
    return StarPlan(tasks=TASKS, seed=5, dialogues=dialogues, shard=shard)


def make(folder: Path, workers: int, wanted: StarPlan | None = None) -> list[Shard]:
    folder.mkdir(exist_ok=True)
    with WorkerPool(wanted or plan(), folder, workers) as pool:
        done = list(pool)
    shards = [one for one in done if isinstance(one, Shard)]
    assert sum(one for one in done if isinstance(one, int)) == (wanted or plan()).dialogues
    return sorted(shards, key=lambda shard: shard.name)


def content(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def double(number: int) -> int:
    if number < 0:
        raise MissingExtraError("a number below zero", "negative")
    return 2 * number
