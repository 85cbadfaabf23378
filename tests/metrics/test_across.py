"""Intervals of means over hold-outs, were they drawn from more such."""

from __future__ import annotations

import pytest
import scipy

from dialoom.metrics.bootstrap import T, over_holdouts


@pytest.mark.parametrize("values", [[60.0, 80.0], [74.7, 71.5, 78.2], [50.0] * 3 + [51.0] * 9])
def test_it_is_students_interval(values: list[float]) -> None:
    interval = over_holdouts(values)
    assert interval is not None
    low, high = scipy.stats.t.interval(
        0.95, len(values) - 1, sum(values) / len(values), scipy.stats.sem(values)
    )
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-3)


def test_its_points_are_those_of_the_distribution() -> None:
    assert pytest.approx(scipy.stats.t.ppf(0.975, range(1, len(T) + 1)), abs=6e-4) == T


def test_one_holdout_tells_nothing_of_others() -> None:
    assert over_holdouts([70.0]) is None
    assert over_holdouts([]) is None
