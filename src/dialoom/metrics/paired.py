"""Is one system better than another on the same questions? A paired bootstrap test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.metrics.base import Counts, Metric
from dialoom.metrics.bootstrap import SAMPLES, Interval, macro, percentiles, resample

Pair = tuple[Counts, Counts]
"""One dialogue's counts under the first and the second system."""


class Difference(Struct, frozen=True):
    """What the first system has over the second, in points.

    Attributes:
        first: Mean over hold-outs of the first system.
        second: The same of the second.
        difference: first - second.
        interval: The 95 % interval of the difference.
        p: Two-sided p value of the difference being none.
        samples: Resamples drawn.
    """

    first: float
    second: float
    difference: float
    interval: Interval
    p: float
    samples: int


def compare(
    metric: Metric,
    score: str,
    groups: Mapping[str, Sequence[Pair]],
    *,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Difference:
    """Test the difference of two systems' means over hold-outs of one of a metric's scores.

    Both are scored on the same resampled dialogues (Koehn 2004). The p value follows sacrebleu:
    the resampled differences are shifted to have mean 0, and p = (c + 1) / (samples + 1), where c
    of them are at least as large as the difference seen (Riezler & Maxwell 2005).

    Raises:
        UsageError: There is no question that both systems answered.
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
    return Difference(
        first, second, seen, percentiles(resampled), (extreme + 1) / (samples + 1), samples
    )
