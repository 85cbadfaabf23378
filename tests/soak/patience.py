"""How long a soak waits for something to happen: in time that its processes could use."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

Done = TypeVar("Done")

PATIENCE = 300.0
"""Seconds without progress after which a cycle has failed. Time in which a process waits for a
processor, as on a machine with other work, is not counted."""

LOOK = 1.0
"""Seconds between two looks."""


async def patiently(
    work: Awaitable[Done], progress: Callable[[], object], processes: Callable[[], Iterable[int]]
) -> Done:
    """Return the result of work.

    Args:
        work: What is waited for.
        progress: Returns a value that changes whenever something happens.
        processes: Returns the ids of the processes, besides this one, that do the work.

    Raises:
        TimeoutError: Nothing has happened for `PATIENCE` seconds.
    """
    task = asyncio.ensure_future(work)
    idle, state, clock, queued = 0.0, progress(), time.monotonic(), _queued(())
    try:
        while not (await asyncio.wait({task}, timeout=LOOK))[0]:
            before, clock, there = clock, time.monotonic(), _queued(processes())
            waited = max((now - queued.get(pid, 0.0) for pid, now in there.items()), default=0.0)
            idle += max(0.0, clock - before - waited)
            queued = there
            if (now := progress()) != state:
                idle, state = 0.0, now
            if idle > PATIENCE:
                raise TimeoutError(f"nothing happened for {PATIENCE:.0f} seconds")
        return task.result()
    finally:
        task.cancel()


def _queued(processes: Iterable[int]) -> dict[int, float]:
    """Return for how many seconds each process, and this one, has waited for a processor so far."""
    seconds = {}
    for pid in (os.getpid(), *processes):
        with suppress(OSError):  # it is over, or the system does not count
            counts = Path(f"/proc/{pid}/schedstat").read_text(encoding="ascii").split()
            seconds[pid] = int(counts[1]) / 1e9
    return seconds
