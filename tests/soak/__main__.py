"""`make soak`: cycles of `kill -9` under load, each followed by a look at the database."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import postgres
from tests.soak.cycles import KINDS, Soak

LIFE = 6 * len(KINDS)
"""Cycles of one study: its whole log is looked at after each of them."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--db", help="a path or URL of an empty database, for all cycles")
    parser.add_argument("--postgresql", action="store_true", help="with a server of its own")
    parser.add_argument("--seed", type=int, default=0, help="chooses the moments")
    options = parser.parse_args()
    start, soaks = time.perf_counter(), list[Soak]()
    life = options.cycles if options.db else LIFE
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="soak-") as name, ExitStack() as stack:
        serving = contextmanager(postgres.serve)()
        postgresql = stack.enter_context(serving) if options.postgresql else None
        while not faults and (left := options.cycles - sum(soak.cycles for soak in soaks)) > 0:
            folder = Path(name, str(len(soaks)))
            folder.mkdir()
            db = postgresql.create() if postgresql else options.db
            soaks.append(Soak(folder, db, options.seed + len(soaks)))
            faults = asyncio.run(soaks[-1].run(min(life, left)))
            shutil.rmtree(folder)
    _report(soaks, (time.perf_counter() - start) / 60)
    for what in faults:
        print(what, file=sys.stderr)
    print("FAILED" if faults else "nothing lost, nothing doubled, every invariant holds")
    return 1 if faults else 0


def _report(soaks: Sequence[Soak], minutes: float) -> None:
    """Print what happened in all studies."""
    worlds = [soak.world for soak in soaks]
    print(f"{sum(soak.cycles for soak in soaks)} cycles in {minutes:.1f} minutes")
    acknowledged = sum(len(world.acknowledged) for world in worlds)
    records, cuts = (sum(getattr(soak, name) for soak in soaks) for name in ("records", "cuts"))
    print(f"{acknowledged} messages acknowledged, {records} records in {len(soaks)} studies")
    seats = [events for world in worlds for events in world.shown.values()]
    print(f"{sum(map(len, seats))} events shown to {len(seats)} seats, {cuts} lines cut")
    brought, plays = sum(len(world.brought) for world in worlds), sum(w.heard for w in worlds)
    print(f"{brought} sounds taken, {plays} heard")
    done, refusals = (
        dict(sum((getattr(world, name) for world in worlds), Counter[str]()))
        for name in ("done", "refusals")
    )
    print(f"assignments over: {done}; refusals: {refusals}")


if __name__ == "__main__":
    sys.exit(main())
