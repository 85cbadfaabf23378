"""Distances of counts: known values, bounds, symmetry."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.quality.distance.measures import (
    FEWEST,
    Pair,
    covered,
    disagreement,
    divergence,
    shares,
    transport,
)

counters = st.dictionaries(st.integers(0, 20), st.integers(1, 50), max_size=8).map(Counter)


def test_divergence_of_known_distributions() -> None:
    assert divergence({"a": 1}, {"a": 9}) == 0
    assert divergence({"a": 2}, {"b": 1}) == 1
    assert divergence({"a": 1, "b": 1}, {"a": 1}) == pytest.approx(0.3113, abs=1e-4)
    assert divergence({}, {"a": 1}) is None


def test_what_each_thing_adds() -> None:
    added = shares({"a": 1, "b": 1}, {"a": 1, "c": 1})
    assert added == {"a": 0, "b": pytest.approx(0.25), "c": pytest.approx(0.25)}


def test_transport_of_known_histograms() -> None:
    assert transport({5: 1}, {8: 2}) == 3
    assert transport({1: 1, 3: 1}, {2: 1}) == 1
    assert transport({1: 1}, {}) is None


@given(counters, counters)
def test_bounds_and_symmetry(one: Counter[int], other: Counter[int]) -> None:
    for measure in (divergence, transport):
        there, back = measure(one, other), measure(other, one)
        if there is None or back is None:
            assert not one or not other
            continue
        assert there == pytest.approx(back)
        assert measure(one, one) == pytest.approx(0)
        assert there >= 0
    assert (divergence(one, other) or 0) <= 1


def test_the_mean_is_moved_at_most_by_the_transport() -> None:
    one, other = Counter({1: 3, 9: 1}), Counter({4: 2, 5: 2})
    means = [sum(v * n for v, n in c.items()) / c.total() for c in (one, other)]
    assert abs(means[0] - means[1]) <= (transport(one, other) or 0)


def test_orders_are_compared_where_both_have_them() -> None:
    one: dict[Pair, int] = {("", "day", "time"): 8, ("", "time", "day"): 2, ("", "a", "b"): FEWEST}
    other: dict[Pair, int] = {("", "day", "time"): 5, ("", "time", "day"): 5, ("", "a", "c"): 9}
    assert disagreement(one, other) == pytest.approx(0.3)
    assert disagreement(one, one) == 0
    assert disagreement(one, {("", "a", "c"): 9}) is None


def test_covered_text() -> None:
    assert covered({"hello": 3, "there": 1}, {"hello": 1}) == 0.75
    assert covered({}, {"hello": 1}) is None
