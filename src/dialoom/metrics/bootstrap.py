"""Percentile intervals by resampling dialogues, and the difference of two systems.

Questions of one dialogue are not independent, so whole dialogues are drawn with replacement
(the cluster bootstrap; Efron & Tibshirani 1993, ch. 8). If a score is a mean over hold-outs,
dialogues are drawn within each hold-out, because the hold-outs are fixed and their dialogues are
the sample. The interval therefore says nothing about other domains or other seeds. `over_holdouts`
shows how a mean varies with other domains: Student's t with one degree of freedom fewer than there
are hold-outs, which takes their scores to be roughly normal.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil, sqrt
from statistics import fmean, stdev

from dialoom.dialogue.annotation import Struct
from dialoom.errors import UsageError
from dialoom.metrics.base import Condenses, Counts, Metric

Groups = Mapping[str, Sequence[Counts]]

Bounds = tuple[float, float]

SAMPLES = 1000
"""Resamples behind an interval: the percentiles move by less than 0.1 between seeds."""


MARGIN = (1 - 0.95) / 2
"""The share of resampled scores on either side of an interval."""


class Interval(Struct, frozen=True):
    """The middle 95 % of the resampled scores."""

    low: float
    high: float

    @property
    def bounds(self) -> Bounds:
        """The two ends, as files keep them."""
        return round(self.low, 4), round(self.high, 4)


Z95 = 1.959964
"""Quantile of the standard normal distribution for a level of 95 %."""


def wilson(share: float, many: int) -> Bounds:
    """Return the 95 % score interval (Wilson 1927) of a share (%) of `many` trials.

    It holds for few trials and for shares of 0 and 100, where resampling gives no width at all. Of
    clusters of trials, `share` is their mean; without trials, the interval is everything.
    """
    if not many:
        return 0.0, 100.0
    ratio, square = share / 100, Z95**2
    middle = (ratio + square / (2 * many)) / (1 + square / many)
    half = Z95 * sqrt(ratio * (1 - ratio) / many + square / (4 * many**2)) / (1 + square / many)
    return max(0.0, 100 * (middle - half)), min(100.0, 100 * (middle + half))


def difference_bounds(one: float, other: float, many: int, alike: float = 0.0) -> Bounds:
    """Return the 95 % interval of the second share less the first, in percentage points.

    It is made of the score intervals of both (Newcombe 1998, method 8 for paired trials), which
    holds for few trials and for shares of 0 and 100. `alike` is the correlation of paired trials
    (phi), -1 to 1.
    """
    (low, high), (least, most) = wilson(one, many), wilson(other, many)
    sides = ((other - least, high - one), (most - other, one - low))
    below, above = (sqrt(max(0.0, a**2 + b**2 - 2 * alike * a * b)) for a, b in sides)
    return round(other - one - below, 4), round(other - one + above, 4)


def needed(share: float, precision: float) -> int:
    """Return how many independent trials give a 95 % interval of ± `precision` points.

    The expected share (%) is taken as at least 5 points from 0 and 100.
    """
    ratio = min(max(share, 5.0), 95.0) / 100
    return ceil((Z95 / (precision / 100)) ** 2 * ratio * (1 - ratio))


def total(counts: Sequence[Counts]) -> Counts:
    """Add up counts."""
    added: Counts = Counter()
    for part in counts:
        added.update(part)
    return added


def macro(metric: Metric, groups: Groups) -> dict[str, float]:
    """Return the unweighted mean over hold-outs of each score; none where there are none."""
    rows = [metric.scores(total(counts)) for counts in groups.values()]
    return {
        name: sum(scores[name].value for scores in rows) / len(rows)
        for name in (rows[0] if rows else ())
    }


class Resampled(Struct, frozen=True):
    """Scores of resampled hold-outs: score to hold-out to one value for each resample."""

    values: dict[str, dict[str, list[float]]]

    def means(self, score: str, names: Collection[str] | None = None) -> list[float]:
        """Return the mean over some hold-outs (all where None is given) in each resample."""
        columns = [v for name, v in self.values[score].items() if names is None or name in names]
        return [sum(row) / len(row) for row in zip(*columns, strict=True)]

    def interval(self, score: str, names: Collection[str] | None = None) -> Interval:
        """Return the 95 % interval of that mean."""
        return percentiles(self.means(score, names))


def resample(metric: Metric, groups: Groups, *, samples: int = SAMPLES, seed: int = 0) -> Resampled:
    """Score resampled dialogues.

    Hold-outs are drawn in the order of their names, so that the order they were run in is nothing
    to the result. Two systems, or two metrics, on the same dialogues get the same draws from the
    same seed.
    """
    random_ = random.Random(seed)
    values: dict[str, dict[str, list[float]]] = {}
    for name in sorted(name for name, counts in groups.items() if counts):
        units = metric.condense(groups[name]) if isinstance(metric, Condenses) else groups[name]
        for counts in drawn(units, samples, random_):
            for score in metric.scores(counts).values():
                values.setdefault(score.name, {}).setdefault(name, []).append(score.value)
    return Resampled(values)


def drawn(dialogues: Sequence[Counts], samples: int, random_: random.Random) -> Iterator[Counts]:
    """Yield the summed counts of as many dialogues, drawn with replacement.

    Outcomes are numbered and counted as a stream of small integers, four times as fast as adding
    counters of tuples; where few outcomes occur often, as n-grams that are only counted, their
    numbers by dialogue are added up.
    """
    outcomes = sorted(total(dialogues))
    if len(outcomes) * len(dialogues) < sum(counts.total() for counts in dialogues):
        columns = [[counts[outcome] for counts in dialogues] for outcome in outcomes]
        for _ in range(samples):
            places = random_.choices(range(len(dialogues)), k=len(dialogues))
            sums = (sum(map(column.__getitem__, places)) for column in columns)
            # no zeros: an outcome that did not occur in the draw is not in its counts
            yield Counter({out: n for out, n in zip(outcomes, sums, strict=True) if n})
        return
    number = {outcome: index for index, outcome in enumerate(outcomes)}
    streams = [[number[outcome] for outcome in counts.elements()] for counts in dialogues]
    for _ in range(samples):
        draw = random_.choices(streams, k=len(streams))
        tally = Counter(chain.from_iterable(draw))
        yield Counter({outcomes[index]: n for index, n in tally.items()})


def mean_bounds(values: Sequence[float]) -> Bounds:
    """Return the 95 % interval of a mean, whose values are drawn with replacement."""
    random_, many = random.Random(0), len(values)
    draws = (random_.choices(values, k=many) for _ in range(SAMPLES if many else 0))
    return percentiles([sum(each) / many for each in draws]).bounds


def percentiles(values: Sequence[float]) -> Interval:
    """Return the middle 95 % of the values, interpolating between neighbours."""
    ordered = sorted(values)
    return Interval(_quantile(ordered, MARGIN), _quantile(ordered, 1 - MARGIN))


def _quantile(ordered: Sequence[float], share: float) -> float:
    if not ordered:
        return 0.0
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


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
        raise UsageError("the two prediction files have no question in common", code="mismatch")
    sides = [
        {name: [pair[side] for pair in rows] for name, rows in groups.items()} for side in (0, 1)
    ]
    first, second = (macro(metric, side)[score] for side in sides)
    draws = [resample(metric, side, samples=samples, seed=seed).means(score) for side in sides]
    resampled = [ours - theirs for ours, theirs in zip(*draws, strict=True)]
    gap = first - second
    centre = sum(resampled) / len(resampled)
    extreme = sum(abs(value - centre) >= abs(gap) for value in resampled)
    p = (extreme + 1) / (samples + 1)
    across = over_holdouts([_alone(metric, score, rows) for rows in groups.values() if rows])
    return Difference(first, second, gap, percentiles(resampled), p, samples, across)


def _alone(metric: Metric, score: str, rows: Sequence[Pair]) -> float:
    ours, theirs = (metric.scores(total(side))[score].value for side in zip(*rows, strict=True))
    return ours - theirs
