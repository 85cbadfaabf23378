"""How fast dialogues are simulated and written to disk, against reading and writing their JSON.

python benchmarks/simulate.py [--quick] [--json FILE] [--tasks NAMES]

The floor is `json.loads` and `json.dumps` of the standard library on the very lines that are
written. Times are CPU seconds of one process, user and system, in turns with the floor.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from _measure import Figure, options_parser, report

from dialoom.corpus.shards import Shard, shard_name
from dialoom.sim.core.run import Maker, WorkerPool
from dialoom.sim.presets.star import StarPlan, load_tasks

DIALOGUES = 1000
"""Dialogues a round: a shard."""
ROUNDS, QUICK_ROUNDS = 20, 5
WARM = 4
"""Rounds before the first that counts."""
MANY, QUICK_MANY = 200_000, 5000
LIMIT = 300.0
"""Megabytes that a run of any length may take."""


def main() -> None:
    parser = options_parser(__doc__, quick="less work, rougher figures")
    parser.add_argument("--tasks", default="all", help="as `dialoom simulate` takes them")
    parser.add_argument("--scenario", default="happy", help="happy, unhappy, multi or mixed")
    parser.add_argument("--memory", type=Path, metavar="DIR", help=argparse.SUPPRESS)
    options = parser.parse_args()
    many = QUICK_MANY if options.quick else MANY
    if options.memory is not None:
        print(make(options.tasks, options.scenario, many, options.memory))
        return
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    figures = measure(options.tasks, options.scenario, DIALOGUES, rounds)
    peak = peak_memory(options.tasks, options.scenario, options.quick)
    figures[f"peak memory of {many:,}"] = Figure(peak, "MB", LIMIT, LIMIT / peak)
    report(figures, options.json)


def measure(tasks: str, scenario: str, count: int, rounds: int) -> dict[str, Figure]:
    """Return the rate, the events a dialogue has, and the ratio to the floor.

    Every round makes dialogues that were not made before. The first ones, in which values are met
    for the first time, are not counted.
    """
    plan = StarPlan(
        tasks=tuple(load_tasks(tasks)),
        scenario=scenario,
        seed=1,
        dialogues=count * (rounds + WARM),
        shard=count,
    )
    maker = Maker(plan)
    ours, floors, events, size = [], [], 0, 0
    for number in plan.shards:
        with tempfile.TemporaryDirectory() as name:
            taken = cpu_seconds(partial(simulate, maker, number, Path(name)))
            lines = (Path(name) / shard_name(number)).read_bytes().splitlines()
        floor = cpu_seconds(partial(load_and_dump, lines))
        if number >= WARM:
            ours.append(taken)
            floors.append(floor)
            events += sum(len(msgspec.json.decode(line)["events"]) for line in lines)
            size += sum(map(len, lines))
    taken, floor = statistics.median(ours), statistics.median(floors)
    ratio = statistics.median(one / other for one, other in zip(ours, floors, strict=True))
    made = count * rounds
    return {
        "dialogues": Figure(count / taken, "a CPU second", count / floor, floor / taken),
        "time": Figure(ratio, "of json load and dump", 1.0, 1 / ratio),
        "events": Figure(events / made, "a dialogue", 14.0, events / made / 14),
        "size": Figure(size / made / 1000, "kB a dialogue", 1.0, 1.0),
    }


def simulate(maker: Maker, number: int, folder: Path) -> None:
    """Write a shard."""
    for _ in maker.shard(number, folder):
        pass


def load_and_dump(lines: list[bytes]) -> None:
    """Do what nobody who uses the standard library gets around."""
    for line in lines:
        json.dumps(json.loads(line))


def cpu_seconds(job: Callable[[], object]) -> float:
    """Return the CPU seconds a job takes."""
    start = time.process_time()
    job()
    return time.process_time() - start


def peak_memory(tasks: str, scenario: str, quick: bool) -> float:
    """Return the megabytes that a process of its own takes at most for a long run."""
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, __file__, "--memory", name, "--tasks", tasks]
        flags = ["--scenario", scenario, *(["--quick"] if quick else [])]
        done = subprocess.run([*command, *flags], check=True, capture_output=True, text=True)
    return float(done.stdout)


def make(tasks: str, scenario: str, count: int, folder: Path) -> float:
    """Simulate many dialogues and drop their files; return the megabytes taken at most."""
    chosen = tuple(load_tasks(tasks))
    plan = StarPlan(tasks=chosen, scenario=scenario, seed=1, dialogues=count)
    with WorkerPool(plan, folder, 1) as crew:
        for done in crew:
            if isinstance(done, Shard):
                os.truncate(folder / done.name, 0)
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


if __name__ == "__main__":
    main()
