"""Load and its figures: so many rooms talk for so many seconds.

python -m tests.soak.load USER_LINK WIZARD_LINK --rooms 500 --seconds 20 [--pace 50]

Prints JSON. Without a pace everybody answers at once, and the server is what they wait for. With
one, people think before they answer, so that all rooms together say so much a second.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import time
from pathlib import Path
from typing import Any

from tests.soak.people import Person
from tests.soak.world import World

JOINING = 50
"""People who come in at the same time."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("user", help="the user's link")
    parser.add_argument("wizard", help="the wizard's link")
    parser.add_argument("--rooms", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--pace", type=float, help="messages a second of all rooms together")
    parser.add_argument("--pid", type=int, help="the server, whose processor time is told")
    options = parser.parse_args()
    print(json.dumps(asyncio.run(run(options))))


async def run(options: argparse.Namespace) -> dict[str, Any]:
    """Seat all, let them talk, and return what was measured meanwhile."""
    dice, world = random.Random(1), World(turns=None)
    all_seated = asyncio.Event()

    def watch() -> None:
        if len(world.seated) >= 2 * options.rooms:
            all_seated.set()

    world.watch = watch
    if options.pace:
        mean = options.rooms / options.pace  # a room says one thing at a time
        world.think = lambda: dice.expovariate(1 / mean)
    world.up(options.user, options.wizard)
    start, tasks = time.perf_counter(), []
    for number in range(options.rooms):
        tasks += [asyncio.create_task(Person(world, role).live()) for role in ("user", "wizard")]
        while 2 * number - len(world.seated) > JOINING:
            await asyncio.sleep(0.01)
    await all_seated.wait()
    seated = time.perf_counter() - start
    world.latencies.clear()
    cpu, theirs, start = time.process_time(), _cpu(options.pid), time.perf_counter()
    await asyncio.sleep(options.seconds)
    latencies, duration = sorted(world.latencies), time.perf_counter() - start
    cpu, theirs = time.process_time() - cpu, _cpu(options.pid) - theirs
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return {
        "seated_s": seated,
        "messages": len(latencies),
        "per_second": len(latencies) / duration,
        "p50_ms": statistics.median(latencies) * 1000 if latencies else None,
        "p99_ms": latencies[int(len(latencies) * 0.99)] * 1000 if latencies else None,
        "generator_cpu": cpu / duration,
        "server_cpu": theirs / duration,
        "refused": dict(world.refusals),
        "faults": world.faults[:5],
    }


def _cpu(pid: int | None) -> float:
    """Return the seconds of processor time that a process has taken."""
    if pid is None:
        return 0.0
    times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
