"""Precision at 1, 2 and 5 of a result file, as the challenge's script has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from dialoom.formats.dstc6.results import Ranking
from dialoom.metrics.base import Counts, Score
from dialoom.metrics.ranking import PrecisionAtK, ranked


def count(truth: Mapping[str, str], rankings: Iterable[Ranking]) -> Counts:
    """Count the ranks of the right candidates.

    A dialogue without a ranking is wrong, a ranking without a dialogue is ignored. Of several
    rankings of a dialogue, and of several candidates of a rank, the last counts.
    """
    held = {
        ranking.dialogue: {rank: candidate for candidate, rank in ranking.candidates}
        for ranking in rankings
    }
    counts: Counts = Counter()
    for name, right in truth.items():
        ranks = [rank for rank, candidate in held.get(name, {}).items() if candidate == right]
        counts.update(ranked(min(ranks, default=None)))
    return counts


def scores(counts: Counts, context: Mapping[str, object]) -> list[Score]:
    """Return the challenge's three scores; `context` joins their signatures."""
    return [
        Score(score.name, score.value, score.signature.extended(context))
        for score in PrecisionAtK().scores(counts).values()
    ]
