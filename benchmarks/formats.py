"""How fast SGD's dialogues are read, written and checked, against parsing their JSON alone.

python benchmarks/formats.py [--quick] [--json FILE] [--corpora DIR]

The floor is `orjson.loads` of the same bytes. Times are CPU seconds of one process, in turns with
the floor; files are held in memory, so that no disk counts. Memory is that of a process which reads
every file from disk and writes it again. Without corpora the golden file of the tests is read many
times over.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import orjson
from _measure import Figure, interleaved, options_parser, report, throughput

from dialoom.corpus import Corpus
from dialoom.errors import DialoomError
from dialoom.formats import load
from dialoom.formats.sgd import FORMAT
from dialoom.formats.sgd.writing import to_bytes
from dialoom.quality.lint import linter_for

GOLDEN = Path(__file__).parents[1] / "tests" / "formats" / "data" / "sgd"
FILE = Path("dialogues_001.json")
QUICK_FILES = 8
REPETITIONS, QUICK_REPETITIONS = 5, 3
GOLDEN_BYTES = 2_000_000
LIMIT = 200.0
"""Megabytes that reading and writing may take, however many files there are."""


def main() -> None:
    parser = options_parser(__doc__, quick="fewer files, rougher figures")
    parser.add_argument(
        "--corpora",
        type=Path,
        metavar="DIR",
        default=os.environ.get("DIALOOM_CORPORA") or None,
        help="the parent of sgd/train, or that folder; by default $DIALOOM_CORPORA",
    )
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    try:
        corpus = load(place(options.corpora), "sgd")
        files = spread(corpus.files, QUICK_FILES) if options.quick else corpus.files
        if options.memory:
            print(memory(files))
            return
        figures = measure(
            corpus, files, QUICK_REPETITIONS if options.quick else REPETITIONS, options.corpora
        )
    except DialoomError as error:
        print(f"formats: {error}", file=sys.stderr)
        sys.exit(2)
    report(figures, options.json)


def place(corpora: Path | None) -> Path:
    """Return the folder of SGD's training part."""
    if corpora is None:
        return GOLDEN
    below = corpora / "sgd" / "train"
    return below if below.is_dir() else corpora


def spread(files: list[Path], count: int) -> list[Path]:
    """Return at most `count` files from all over the list."""
    return files[:: max(1, len(files) // count)][:count]


def measure(
    corpus: Corpus, files: list[Path], repetitions: int, corpora: Path | None
) -> dict[str, Figure]:
    # Before anything is loaded: a process starts with the peak of the one that started it.
    peak = peak_memory(corpora, quick=len(files) < len(corpus.files))
    texts = [file.read_bytes() for file in files]
    size = sum(map(len, texts))
    if size < GOLDEN_BYTES:
        texts *= GOLDEN_BYTES // size + 1
        size = sum(map(len, texts))

    jobs = {
        "floor": partial(parse, texts),
        "read SGD": partial(read, texts),
        "read and write SGD": partial(read_and_write, texts),
        "lint SGD": partial(lint, texts, corpus),
    }
    seconds = interleaved(jobs, repetitions, time.process_time)
    bottom = seconds.pop("floor")
    figures = {name: throughput(taken, bottom, size) for name, taken in seconds.items()}
    figures["peak memory"] = Figure(peak, "MB", LIMIT, LIMIT / peak)
    return figures


def parse(texts: list[bytes]) -> None:
    for text in texts:
        orjson.loads(text)


def read(texts: list[bytes]) -> None:
    for text in texts:
        for _ in FORMAT.read(text, FILE, FILE.name):
            pass


def read_and_write(texts: list[bytes]) -> None:
    for text in texts:
        to_bytes(FORMAT.read(text, FILE, FILE.name))


def lint(texts: list[bytes], corpus: Corpus) -> None:
    linter = linter_for(corpus)
    for number, text in enumerate(texts):
        name = f"dialogues_{number:03d}.json"
        for dialogue in FORMAT.read(text, FILE, name):
            for _ in linter.check(dialogue, name):
                pass


def memory(files: list[Path]) -> float:
    """Return the most megabytes this process takes to read and write every file."""
    for file in files:
        to_bytes(FORMAT.read_file(file, file.parent))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6


def peak_memory(corpora: Path | None, *, quick: bool) -> float:
    """Return the same of a process of its own, whose memory nothing else has touched."""
    where = [] if corpora is None else ["--corpora", str(corpora)]
    command = [sys.executable, __file__, "--memory", *where, *(["--quick"] if quick else [])]
    environment = {name: value for name, value in os.environ.items() if name != "DIALOOM_CORPORA"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return float(done.stdout)


if __name__ == "__main__":
    main()
