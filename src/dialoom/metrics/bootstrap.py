"""Percentile intervals by resampling dialogues.

Questions of one dialogue are not independent, so whole dialogues are drawn with replacement
(the cluster bootstrap; Efron & Tibshirani 1993, ch. 8). Where a score is a mean over hold-outs,
dialogues are drawn within each hold-out, because the hold-outs are fixed and their dialogues are
the sample. The interval therefore says nothing about other domains or other seeds.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Metric

Groups = Mapping[str, Sequence[Counts]]
"""Hold-out to the counts of each of its dialogues."""

SAMPLES = 1000
"""Resamples behind an interval: the percentiles move by less than 0.1 between seeds."""


class Interval(Struct, frozen=True):
    """The middle `level` of the resampled scores."""

    low: float
    high: float
    level: float = 0.95


def total(counts: Sequence[Counts]) -> Counts:
    """Add up counts."""
    added: Counts = Counter()
    for part in counts:
        for pair, n in part.items():
            added[pair] += n
    return added


def macro(metric: Metric, groups: Groups) -> float:
    """Return the unweighted mean over hold-outs; 0 where there are none."""
    values = [metric.value(total(counts)) for counts in groups.values()]
    return sum(values) / len(values) if values else 0.0


def draws(sizes: Mapping[str, int], samples: int, seed: int) -> Iterator[dict[str, list[int]]]:
    """Yield, `samples` times, the indices of the dialogues drawn for each hold-out.

    Hold-outs are drawn in the order of their names, so that the order they were run in is nothing
    to the result.
    """
    random_ = random.Random(seed)
    for _ in range(samples):
        yield {name: random_.choices(range(n), k=n) for name, n in sorted(sizes.items()) if n}


def percentiles(values: Sequence[float], level: float = 0.95) -> Interval:
    """Return the middle `level` of the values, interpolating between neighbours."""
    ordered = sorted(values)
    margin = (1 - level) / 2
    return Interval(_quantile(ordered, margin), _quantile(ordered, 1 - margin), level)


def _quantile(ordered: Sequence[float], share: float) -> float:
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def interval(
    metrics: Sequence[Metric], groups: Groups, *, samples: int = SAMPLES, seed: int = 0
) -> dict[str, Interval]:
    """Return the 95 % interval of each metric's mean over hold-outs, from the same draws."""
    values: dict[str, list[float]] = {metric.name: [] for metric in metrics}
    for drawn in draws({name: len(counts) for name, counts in groups.items()}, samples, seed):
        resampled = {name: [groups[name][i] for i in drawn[name]] for name in drawn}
        sums = {name: total(counts) for name, counts in resampled.items()}
        for metric in metrics:
            scores = [metric.value(counts) for counts in sums.values()]
            values[metric.name].append(sum(scores) / len(scores))
    return {name: percentiles(scores) for name, scores in values.items() if scores}
