"""Boosted trees: tables with few values of each feature."""

from __future__ import annotations

import numpy as np

from dialoom.learn.trees import keep_few


def test_values_between_two_quantiles_become_their_mean() -> None:
    table = np.arange(8, dtype=np.float64)[:, None]
    keep_few(table, bins=4)
    assert table[:, 0].tolist() == [0.5, 0.5, 2.5, 2.5, 4.5, 4.5, 6.5, 6.5]


def test_few_values_stay_and_a_frequent_one_is_mixed_with_no_other() -> None:
    table = np.array([[n % 3, -50.0 if n % 2 else n / 7] for n in range(1000)])
    copy = table.copy()
    keep_few(copy, bins=20)
    assert np.array_equal(copy[:, 0], table[:, 0])
    assert np.array_equal(copy[:, 1] == -50, table[:, 1] == -50)
    assert len(np.unique(copy[:, 1])) <= 20
