"""How fast the studio lists, searches and opens dialogues of a large corpus, against reading it.

python benchmarks/studio.py [--quick] [--json FILE]

The corpus has 100,000 native dialogues in one folder: copies of simulated ones under ids of their
own. The floor of the index is one plain reading of the corpus (lint, which has findings of its own,
is not measured: findings are put into the index), in seconds. Lists are all combinations of a
text, an order and a filter, in CPU seconds with the time that they may take: 200 ms, and 2 s for
the first list. For each kind, the median and the longest of its combinations are reported. The
memory is the resident one of the indexing process; its floor is a process that only reads.
"""

from __future__ import annotations

import resource
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice, product
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from _measure import Figure, options_parser, report
from msgspec.structs import replace

import dialoom
from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.quality.lint import Finding
from dialoom.studio.corpora.building import build, set_findings
from dialoom.studio.corpora.index import CorpusIndex, transaction
from dialoom.studio.corpora.places import read_again
from dialoom.studio.corpora.search import COLUMNS, Wanted, facets, keep_facets, search

SIZE, QUICK_SIZE, SIMULATED = 100_000, 2_000, 300

TASKS = "hotel_book, weather"

TEXTS = ("", "room", "room please", '"would like"', "hot*", "zebra", "the")

FILTERS: dict[str, dict[str, Any]] = {
    "none": {},
    "a task": {"task": "hotel_book"},
    "a stage": {"stage": "happy"},
    "turns": {"least": 8, "most": 14},
    "many turns": {"least": 1000},
    "any finding": {"finding": "any"},
    "a frequent finding": {"finding": "frequent"},
    "a rare finding": {"finding": "rare"},
    "a task, turns and a finding": {
        "task": "hotel_book", "least": 8, "most": 14, "finding": "frequent",
    },
}  # fmt: skip

EVERY = {"frequent": 2, "rare": 500}
"""Code of a finding to the number of dialogues of which one has it."""

LAST = 90_000
"""How many dialogues come before those of a late page."""

REPEATED = 3


def main() -> None:
    options = options_parser(__doc__, quick=f"{QUICK_SIZE:,} dialogues").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(measure(Path(folder), QUICK_SIZE if options.quick else SIZE), options.json)


def measure(folder: Path, size: int) -> dict[str, Figure]:
    corpus, home = folder / "corpus", folder / "indexes"
    if not corpus.exists():
        simulated = list(dialoom.simulate(TASKS, n=SIMULATED, seed=7, progress=False))
        formats.get("native").write(copies(simulated, size), {}, make(corpus))
    plain, index = alone(read_all, corpus), alone(index_all, corpus, home)
    figures = {
        "index, words and facts (s)": Figure.cost(index[0], plain[0], ""),
        "memory of indexing (MB)": Figure.cost(index[1], plain[1], ""),
    }
    kept = CorpusIndex(corpus, home)
    find(kept)
    with kept.reading() as database:
        for kind, seconds in listed(database).items():
            middle, longest = statistics.median(seconds), max(seconds)
            figures[f"{kind}, median (s)"] = Figure.cost(middle, 0.2, "")
            figures[f"{kind}, longest (s)"] = Figure.cost(longest, 0.2, "")
        figures["first list (s)"] = Figure.cost(median(lambda: first_list(corpus, home)), 2.0, "")
        figures["filters (s)"] = Figure.cost(median(lambda: facets(database)), 0.2, "")
        rows = database.execute(
            "SELECT id, name, start, length FROM dialogue ORDER BY id"
        ).fetchall()
    number, name, start, length = rows[len(rows) // 2 + 999]
    opened = formats.load(corpus, "native")
    file, position = opened.files[number // (1 << 32) - 1], number % (1 << 32)
    again = median(lambda: read_again(opened, file, position, (start, length), name))
    figures["open a dialogue (s)"] = Figure.cost(again, 0.2, "")
    return figures


def find(index: CorpusIndex) -> None:
    """Put findings into the index."""
    with index.writing() as database, transaction(database):
        numbers = [number for (number,) in database.execute("SELECT id FROM dialogue")]
        for place, number in enumerate(numbers):
            codes = [code for code, every in EVERY.items() if place % every == 0]
            found = [Finding(each, "warning", "", "", "", dialogue="") for each in codes]
            set_findings(database, number, found)
        keep_facets(database)


def listed(database: sqlite3.Connection) -> dict[str, list[float]]:
    """Return the times of all combinations of a text, a filter, an order and a page, by kind."""
    orders = [way + name for name in COLUMNS for way in ("", "-") if name or not way]
    found: defaultdict[str, list[float]] = defaultdict(list)
    for text, (name, filter), order, first in product(TEXTS, FILTERS.items(), orders, (0, LAST)):
        wanted = Wanted(text=text, sort=order, first=first, **filter)
        taken = median(partial(search, database, wanted))
        for kind in (f"text {text!r}", f"filter: {name}", f"order {order!r}", f"after {first}"):
            found[kind].append(taken)
    return found


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


def copies(dialogues: list[Dialogue], size: int) -> Iterator[Dialogue]:
    for number, dialogue in enumerate(islice(cycle(dialogues), size)):
        yield replace(dialogue, id=f"d-{number}", origin=None)


def alone(job: Callable[..., tuple[float, float]], *arguments: Path) -> tuple[float, float]:
    """Return what a job measures in a process of its own: seconds and megabytes."""
    context = get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(job, arguments)


def read_all(corpus: Path) -> tuple[float, float]:
    start = time.perf_counter()
    for _ in formats.load(corpus, "native"):
        pass
    return time.perf_counter() - start, memory()


def index_all(corpus: Path, home: Path) -> tuple[float, float]:
    start = time.perf_counter()
    for progress in build(CorpusIndex(corpus, home), formats.load(corpus, "native")):
        if progress.phase == "checking":
            break
    return time.perf_counter() - start, memory()


def first_list(corpus: Path, home: Path) -> None:
    with CorpusIndex(corpus, home).reading() as database:
        search(database, Wanted())
        facets(database)


def memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def median(job: Callable[[], object]) -> float:
    taken = []
    for _ in range(REPEATED):
        start = time.process_time()
        job()
        taken.append(time.process_time() - start)
    return sorted(taken)[REPEATED // 2]


if __name__ == "__main__":
    main()
