"""How fast the studio lists, searches and opens dialogues of a large corpus, against reading it.

python benchmarks/studio.py [--quick] [--json FILE]

The corpus has 100,000 native dialogues in one folder: copies of simulated ones under ids of their
own. The floor of the index is one plain reading of the corpus (its findings, which are lint's, are
not measured), in seconds. Lists and searches are CPU seconds with the time that they may take:
2 s for the first list, 200 ms else. The last line is the resident memory of the indexing process,
with that of a process that only reads as its floor.
"""

from __future__ import annotations

import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

from _measure import Figure, options_parser, report
from msgspec.structs import replace

import dialoom
from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.studio.corpora.building import build
from dialoom.studio.corpora.index import CorpusIndex
from dialoom.studio.corpora.places import read_again
from dialoom.studio.corpora.search import Wanted, facets, search

SIZE, QUICK_SIZE, SIMULATED = 100_000, 2_000, 300

SEARCHES = ("room", "room please", '"would like"', "hot*", "zebra", "the")

REPEATED = 5


def main() -> None:
    options = options_parser(__doc__, quick=f"{QUICK_SIZE:,} dialogues").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report(measure(Path(folder), QUICK_SIZE if options.quick else SIZE), options.json)


def measure(folder: Path, size: int) -> dict[str, Figure]:
    corpus, home = folder / "corpus", folder / "indexes"
    if not corpus.exists():
        simulated = list(dialoom.simulate("hotel_book", n=SIMULATED, seed=7, progress=False))
        formats.get("native").write(copies(simulated, size), {}, make(corpus))
    plain, index = alone(read_all, corpus), alone(index_all, corpus, home)
    figures = {
        "index, words and facts (s)": Figure.cost(index[0], plain[0], ""),
        "memory of indexing (MB)": Figure.cost(index[1], plain[1], ""),
    }
    kept = CorpusIndex(corpus, home)
    with kept.reading() as database:
        lists = {f"list by {each or 'order'}": Wanted(sort=each) for each in ("", "-turns", "id")}
        asked = {f"search {text!r}": Wanted(text=text) for text in SEARCHES}
        asked["search 'the' in one task"] = Wanted(text="the", task="hotel_book", sort="-turns")
        for name, wanted in {**lists, **asked}.items():
            figures[f"{name} (s)"] = Figure.cost(median(partial(search, database, wanted)), 0.2, "")
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
