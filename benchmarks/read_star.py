"""How fast STAR's dialogues are read, and read and written, against parsing their JSON alone.

python benchmarks/read_star.py [--quick] [--json FILE] [--corpus DIR]

The floor is `orjson.loads` of the same bytes. Times are CPU seconds of one process; files are held
in memory, so that no disk counts.
Without a corpus the golden files of the tests are read many times over.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import orjson
from _measure import Figure, import_time, interleaved, options_parser, report, throughput

from dialoom.dialogue import Origin
from dialoom.errors import MissingDataError
from dialoom.formats import get, star
from dialoom.formats.star import writing

GOLDEN = Path(__file__).parents[1] / "tests" / "formats" / "data" / "star"
FILES, QUICK_FILES = 2000, 100
REPETITIONS, QUICK_REPETITIONS = 9, 3


def main() -> None:
    parser = options_parser(__doc__, quick="a tenth of the work, rougher figures")
    parser.add_argument(
        "--corpus",
        type=Path,
        metavar="DIR",
        default=os.environ.get("DIALOOM_CORPORA") or None,
        help="a corpus root or a STAR folder; by default $DIALOOM_CORPORA",
    )
    options = parser.parse_args()
    repetitions = QUICK_REPETITIONS if options.quick else REPETITIONS
    try:
        texts = load(options.corpus, QUICK_FILES if options.quick else FILES)
    except MissingDataError as error:
        print(f"read_star: {error}", file=sys.stderr)
        sys.exit(2)
    report(measure(texts, repetitions), options.json)


def load(corpus: Path | None, count: int) -> list[bytes]:
    """Return `count` files of the corpus, spread over it, or of the golden ones over and over."""
    root = GOLDEN
    if corpus is not None:
        root = corpus / "star" if (corpus / "star").is_dir() else corpus
    files = get("star").files(root)
    step = max(1, len(files) // count)
    texts = [file.read_bytes() for file in files[::step][:count]]
    return (texts * (count // len(texts) + 1))[:count]


def measure(texts: list[bytes], repetitions: int) -> dict[str, Figure]:
    file, origin = Path("0.json"), Origin("0.json")

    def floor() -> None:
        for text in texts:
            orjson.loads(text)

    def read() -> None:
        for text in texts:
            star.read(text, file, origin)

    def read_and_write() -> None:
        for text in texts:
            writing.to_bytes(star.read(text, file, origin), 1)

    jobs = {"floor": floor, "read STAR": read, "read and write STAR": read_and_write}
    seconds = interleaved(jobs, repetitions, time.process_time)
    bottom, size = seconds.pop("floor"), sum(map(len, texts))
    figures = {name: throughput(taken, bottom, size) for name, taken in seconds.items()}
    figures["import dialoom"] = import_time("import dialoom", repetitions)
    figures["import the data model and formats"] = import_time(
        "from dialoom import Dialogue, load", repetitions
    )
    return figures


if __name__ == "__main__":
    main()
