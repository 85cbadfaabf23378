"""Gradient-boosted trees that classify rows of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

TREES: dict[str, Any] = {
    "learning_rate": 0.15,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 20,
    "l2_regularization": 5.0,
    "early_stopping": False,
}
"""Settings of `HistGradientBoostingClassifier`; without the L2 penalty, the scores of several
labels can diverge where the labels are easily separated."""

Row = list[float]
Rows = Sequence[Row] | npt.NDArray[np.float32]


def fitted_trees(rows: Rows, labels: Sequence[int], rounds: int, seed: int) -> Any:
    """Return fitted trees; with fewer than two labels, the only label, or 0 for none.

    Args:
        rows: The features: shape (rows, features).
        labels: The label of each row, from 0.
        rounds: Boosting rounds.
        seed: The seed of the trees.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    if len(set(labels)) < 2:
        return int(labels[0]) if labels else 0
    made = HistGradientBoostingClassifier(**TREES, max_iter=rounds, random_state=seed)
    with threadpool_limits(limits=1):
        return made.fit(np.array(rows, np.float32), np.array(labels, np.int64))


def chances(trees: Any, rows: Rows, labels: int) -> npt.NDArray[np.float64]:
    """Return the probability of each label: shape (rows, labels).

    Args:
        trees: The result of `fitted_trees`.
        rows: The features: shape (rows, features).
        labels: Number of labels.
    """
    from threadpoolctl import threadpool_limits

    found = np.zeros((len(rows), labels))
    if isinstance(trees, int):
        found[:, trees] = 1.0
        return found
    with threadpool_limits(limits=1):
        found[:, trees.classes_] = trees.predict_proba(np.array(rows, np.float32))
    return found
