"""Coefficients of agreement, beside those of libraries and of a published example."""

from __future__ import annotations

from collections import Counter

import krippendorff as library
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dialoom.metrics.agreement import Units, cohen, f1, fleiss, krippendorff

VALUES = st.sampled_from("abcd")
SCALE = ("1", "2", "3", "10")
GRADES = st.sampled_from(SCALE)


@given(st.lists(st.tuples(VALUES, VALUES), min_size=2, max_size=60))
def test_cohen_as_scikit_learn(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import cohen_kappa_score

    one, other = zip(*pairs, strict=True)
    assume(len(set(one) | set(other)) > 1)
    assert cohen(Counter(pairs)) == pytest.approx(cohen_kappa_score(one, other), abs=1e-9)


@given(st.lists(st.lists(VALUES, min_size=1, max_size=5).map(tuple), min_size=1, max_size=40))
def test_alpha_as_its_library_with_values_missing(units: list[tuple[str, ...]]) -> None:
    overlaps = [unit for unit in units if len(unit) > 1]
    assume(len({value for unit in overlaps for value in unit}) > 1)
    counts = [[unit.count(value) for value in "abcd"] for unit in units]
    theirs = library.alpha(value_counts=counts, level_of_measurement="nominal")
    assert krippendorff(Counter(units)) == pytest.approx(theirs, abs=1e-9)


@given(st.lists(st.lists(GRADES, min_size=1, max_size=5).map(tuple), min_size=1, max_size=40))
def test_ordinal_alpha_as_its_library(units: list[tuple[str, ...]]) -> None:
    overlaps = [unit for unit in units if len(unit) > 1]
    assume(len({value for unit in overlaps for value in unit}) > 1)
    counts = [[unit.count(value) for value in SCALE] for unit in units]
    theirs = library.alpha(
        value_counts=counts, value_domain=[*map(int, SCALE)], level_of_measurement="ordinal"
    )
    assert krippendorff(Counter(units), ordinal=True) == pytest.approx(theirs, abs=1e-9)


def test_fleiss_as_published() -> None:
    """Ten subjects in five categories by fourteen raters: the usual worked example, 0.210."""
    rows = (
        "0 0 0 0 14, 0 2 6 4 2, 0 0 3 5 6, 0 3 9 2 0, 2 2 8 1 1, "
        "7 7 0 0 0, 3 2 6 3 0, 2 5 3 2 2, 6 5 2 1 0, 0 2 2 3 7"
    )
    units: Counter[tuple[str, ...]] = Counter()
    for row in rows.split(","):
        numbers = map(int, row.split())
        units[tuple(v for v, n in zip("abcde", numbers, strict=True) for _ in range(n))] += 1
    assert fleiss(units) == pytest.approx(0.20993, abs=1e-5)


def test_fleiss_takes_units_with_the_usual_number_of_annotators() -> None:
    units: Units = {("a", "a"): 3, ("a", "b"): 2, ("b", "b"): 1}
    more: Units = {**units, ("a", "a", "b"): 4, ("b",): 20}
    assert fleiss(more) == fleiss(units)


def test_chance_alone_is_no_agreement() -> None:
    alike: Units = {("a", "a"): 7}
    for units in ({}, alike):
        assert (cohen(units), fleiss(units), krippendorff(units)) == (None, None, None)
    assert krippendorff({("a",): 3, ("b",): 2}) is None
    assert f1(0, 0) is None
    assert f1(3, 8) == 0.75
