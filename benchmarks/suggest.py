"""How fast a wizard's suggestions are ranked, against scikit-learn comparing the same texts.

python benchmarks/suggest.py [--quick] [--json FILE]

Every bundled task's replies are ranked for what a wizard might type: the first words of each of
its replies. The floor is the comparison alone: `transform` of the typed text by both vectorisers,
and its product with the weights of the task's texts; what is above it is our features, their
weighing and the filling of templates. CPU milliseconds of a ranking, the median and the slowest
of a hundred; the last line has the 20 ms that a ranking may take as its floor.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from _measure import Figure, options_parser, report

from dialoom.collect.kinds.room.wizard.suggestions import Suggester
from dialoom.learn.text import TfidfEncoder
from dialoom.models.suggester import ReplyTexts
from dialoom.schema import pack
from dialoom.schema.lexicon import words

WORDS = 4
"""Words that are typed."""
SHOWN = 6
"""Suggestions that are asked for."""
TASKS, QUICK_TASKS = None, 3
LIMIT = 20.0
"""Milliseconds that the slowest of a hundred rankings may take."""


def main() -> None:
    parser = options_parser(__doc__, quick="three tasks, rougher figures")
    options = parser.parse_args()
    report(measure(list(pack.names())[: QUICK_TASKS if options.quick else TASKS]), options.json)


def measure(names: Sequence[str]) -> dict[str, Figure]:
    ours: list[float] = []
    floor: list[float] = []
    for name in names:
        suggester, encoder = Suggester(pack.load(name)), TfidfEncoder()
        texts = ReplyTexts(suggester.task, encoder).texts
        typed = sorted({" ".join(words(text)[:WORDS]) for text in texts})

        def rank(text: str, suggester: Suggester = suggester) -> object:
            return suggester.rank(text, count=SHOWN)

        def compare(text: str, encoder: TfidfEncoder = encoder, texts: Any = texts) -> object:
            return encoder.similarity([text], texts)

        for job in (rank, compare):  # what is worked out once is not measured
            job(typed[0])
        ours += milliseconds(rank, typed)
        floor += milliseconds(compare, typed)
    slowest = percentile(ours, 99)
    return {
        "ranking, median": Figure.cost(percentile(ours, 50), percentile(floor, 50)),
        "ranking, 99 of 100": Figure.cost(slowest, percentile(floor, 99)),
        "ranking, 99 of 100, limit": Figure.cost(slowest, LIMIT),
    }


def milliseconds(job: Callable[[str], object], typed: Sequence[str]) -> list[float]:
    taken = []
    for text in typed:
        start = time.process_time_ns()
        job(text)
        taken.append((time.process_time_ns() - start) / 1e6)
    return taken


def percentile(values: Sequence[float], share: float) -> float:
    return float(np.percentile(values, share))


if __name__ == "__main__":
    main()
