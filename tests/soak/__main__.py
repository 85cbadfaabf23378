"""`make soak`: cycles of `kill -9` under load, each followed by a look at the database."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests import postgres
from tests.soak.cycles import Soak


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--cycles", type=int, default=200)
    parser.add_argument("--db", help="a path or URL of an empty database; a new file by default")
    parser.add_argument("--postgresql", action="store_true", help="with a server of its own")
    parser.add_argument("--seed", type=int, default=0, help="chooses the moments")
    options = parser.parse_args()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="soak-") as name, ExitStack() as stack:
        db = options.db
        if options.postgresql:
            db = stack.enter_context(contextmanager(postgres.serve)()).create()
        soak = Soak(Path(name), db, options.seed)
        found = asyncio.run(soak.run(options.cycles))
    world, minutes = soak.world, (time.perf_counter() - start) / 60
    print(f"{soak.cycles} cycles in {minutes:.1f} minutes")
    print(f"{len(world.acknowledged)} messages acknowledged, {soak.records} records")
    shown = sum(map(len, world.shown.values()))
    print(f"{shown} events shown to {len(world.shown)} seats, {soak.cuts} lines cut")
    print(f"{len(world.brought)} sounds taken, {world.heard} heard")
    print(f"assignments over: {dict(world.done)}; refusals: {dict(world.refusals)}")
    for what in found:
        print(what, file=sys.stderr)
    print("FAILED" if found else "nothing lost, nothing doubled, every invariant holds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
