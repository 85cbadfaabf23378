"""Is one system better than another on the same questions? A paired bootstrap test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.metrics.across import over_holdouts
from dialoom.metrics.base import Counts, Metric
from dialoom.metrics.bootstrap import SAMPLES, Interval, macro, percentiles, resample, total

Pair = tuple[Counts, Counts]


class Difference(Struct, frozen=True):
    """Score difference between two systems, in points, with 95 % intervals.

    `p` is two-sided, 1 / (samples + 1) at least. `across` is that of sampled hold-outs.
    """

    first: float
    second: float
    difference: float
    interval: Interval
    p: float
    samples: int
    across: Interval | None = None


def compare(
    metric: Metric,
    score: str,
    groups: Mapping[str, Sequence[Pair]],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Difference:
    """Test the difference of two systems' means over hold-outs; `UsageError` without questions.

    Both are scored on the same resampled dialogues (Koehn 2004). The p value follows sacrebleu:
    the resampled differences are shifted to have mean 0, and p = (c + 1) / (samples + 1), where c
    of them are at least as large as the difference seen (Riezler & Maxwell 2005).
    """
    if not any(groups.values()):
        raise UsageError("the two prediction files have no question in common")
    sides = [
        {name: [pair[side] for pair in rows] for name, rows in groups.items()} for side in (0, 1)
    ]
    first, second = (macro(metric, side)[score] for side in sides)
    drawn = [resample(metric, side, samples=samples, seed=seed).means(score) for side in sides]
    resampled = [ours - theirs for ours, theirs in zip(*drawn, strict=True)]
    seen = first - second
    centre = sum(resampled) / len(resampled)
    extreme = sum(abs(value - centre) >= abs(seen) for value in resampled)
    p = (extreme + 1) / (samples + 1)
    across = over_holdouts([_alone(metric, score, rows) for rows in groups.values() if rows])
    return Difference(first, second, seen, percentiles(resampled), p, samples, across)


def _alone(metric: Metric, score: str, rows: Sequence[Pair]) -> float:
    """Return the difference of two systems on one hold-out."""
    ours, theirs = (metric.scores(total(side))[score].value for side in zip(*rows, strict=True))
    return ours - theirs
