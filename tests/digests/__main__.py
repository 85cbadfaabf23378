"""`python -m tests.digests`: compare all digests with the table, or write it anew."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from dialoom.learn.kept import CACHE_HOME
from tests.digests import table
from tests.digests.cases import CASES, lacking
from tests.digests.corpora import Corpora


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.digests", description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write {table.FILE.name}")
    parser.add_argument("--times", action="store_true", help="print the CPU time of each entry")
    parser.add_argument("names", nargs="*", help="beginnings of the entries' names; default: all")
    options = parser.parse_args()
    old = table.read()
    names = [name for name in CASES if name.startswith(tuple(options.names) or "")]
    new, changes = {}, 0
    with tempfile.TemporaryDirectory(prefix="digests-") as folder:
        os.environ[CACHE_HOME] = folder  # no fit of an earlier run is taken
        corpora = Corpora(Path(folder))
        for name in names:
            start = time.process_time()
            if lacks := lacking(CASES[name]):
                print(f"{name}: left as it is; not installed: {lacks}")
                continue
            new[name] = CASES[name].measure(corpora)
            if options.times:
                print(f"{time.process_time() - start:6.2f} s  {name}  {new[name].score}")
            if not new[name].gives(old.entries.get(name)):
                others = table.other_libraries(old, neural=bool(CASES[name].needs))
                print(table.Change(name, old.entries.get(name), new[name], others))
                changes += 1
    stale = old.entries.keys() - CASES.keys()
    print(f"{len(new)} digests, {changes} of them changed; {len(stale)} entries of no case")
    if changes:
        print(table.ADVICE)
    if options.write:
        table.write(table.merged(old, new, frozenset(CASES)))
        return 0
    return 1 if changes or stale else 0


if __name__ == "__main__":
    sys.exit(main())
