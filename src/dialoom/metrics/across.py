"""The interval of a mean over hold-outs, were they drawn from more such domains or tasks.

The bootstrap over dialogues (`metrics.bootstrap`) takes the hold-outs as they are. The
differences of hold-outs show how the mean varies with other domains: Student's t with one degree of
freedom fewer than there are hold-outs, which takes their scores to be roughly normal.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from dialoom.metrics.bootstrap import Interval

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
