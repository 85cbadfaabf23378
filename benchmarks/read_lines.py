"""How fast a line of the system's is read, against finding values in the same line.

python benchmarks/read_lines.py [--quick] [--json FILE]

Each line is one that no task file has: a reply of another task, which has to be weighed against all
nodes. The floor is `values.find` on the same line with the same slots; what is above it is our
words, concepts, functions and the choice of a node. CPU milliseconds of a line, mean; the last line
has the 2 ms that a line may take as its floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from _measure import Figure, options_parser, report

from dialoom.reading.turn import turn_reader
from dialoom.schema import pack
from dialoom.schema.values import find

TASKS, QUICK_TASKS = 24, 3
LIMIT = 2.0
"""Milliseconds that a line may take."""


def main() -> None:
    parser = options_parser(__doc__, quick="three tasks, rougher figures")
    options = parser.parse_args()
    report(measure(list(pack.names())[: QUICK_TASKS if options.quick else TASKS]), options.json)


def measure(names: Sequence[str]) -> dict[str, Figure]:
    ours = floor = 0.0
    many = 0
    for place, name in enumerate(names):
        task, other = pack.load(name), pack.load(names[place - 1])
        reader, slots = turn_reader(task, "system"), tuple(task.slots.values())
        said = [text for node in other.flow.nodes.values() for text in node.texts]
        lines = [f"Well, {text[:1].lower()}{text[1:]}" for text in dict.fromkeys(said)]
        reader.read("Hello.")  # what is worked out once is not measured
        ours += milliseconds(reader.read, lines)
        floor += milliseconds(partial(find, slots=slots, language=task.language), lines)
        many += len(lines)
    mean = ours / many
    return {"a line": Figure.cost(mean, floor / many), "a line, limit": Figure.cost(mean, LIMIT)}


def milliseconds(job: Callable[[str], object], lines: Sequence[str]) -> float:
    """Return the CPU milliseconds that a job takes on all lines."""
    start = time.process_time()
    for line in lines:
        job(line)
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
