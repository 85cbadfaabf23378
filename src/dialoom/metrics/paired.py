"""The difference of two systems on the same questions, and the interval of a mean over hold-outs.

The bootstrap over dialogues (`metrics.bootstrap`) takes the hold-outs as they are. Their
differences show how the mean varies with other domains or tasks: Student's t with one degree of
freedom fewer than there are hold-outs, which takes their scores to be roughly normal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.metrics.base import Counts, Metric
from dialoom.metrics.bootstrap import SAMPLES, Interval, macro, percentiles, resample, total

# fmt: off
T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)
# fmt: on
"""The 97.5 % point of Student's t by degrees of freedom, from 1; beyond them that of 30, which is
4 % too wide at most."""


def over_holdouts(values: Sequence[float]) -> Interval | None:
    """Return the 95 % interval of the mean of hold-outs; None where there are fewer than two."""
    if len(values) < 2:
        return None
    mean = fmean(values)
    margin = T[min(len(values) - 1, len(T)) - 1] * stdev(values) / len(values) ** 0.5
    return Interval(mean - margin, mean + margin)


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
