"""The boosted trees of the tracker: they classify candidates, intents and requested slots."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from dialoom.models.tracker.frame_rows import LabelledRows, Table
from dialoom.models.tracker.pairs import Floats

TREES: dict[str, Any] = {
    "max_iter": 250,
    "learning_rate": 0.1,
    "max_leaf_nodes": 31,
    "min_samples_leaf": 60,
    "l2_regularization": 1.0,
    "early_stopping": False,
}
"""Settings of `HistGradientBoostingClassifier`."""
FEW, CAREFUL = 1_000_000, {"learning_rate": 0.05, "max_features": 0.3}
"""Number of rows below which trees are fitted with these settings: on the 303,000 rows of 600
dialogues of MultiWOZ 2.1 they leave 501 errors in place of 556, of 1,650 changes of values."""
FIRST = 100
"""Boosting rounds of the first trees, which only predict states to fit the final ones with."""


class Trees:
    """Boosted trees that classify rows as right or not; fitted when they are made.

    Args:
        rows: The training rows; if all have the same label, that label is certain.
        seed: The seed of the trees.
        careful: Whether few rows are fitted with `CAREFUL`.
        changed: Settings that differ from `TREES`.
    """

    def __init__(self, rows: LabelledRows, seed: int, *, careful: bool, **changed: Any) -> None:
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        self._always = float(any(rows.labels))
        self._trees: Any = None
        if len(set(rows.labels)) > 1:
            settings = TREES | (CAREFUL if careful and len(rows.labels) < FEW else {}) | changed
            self._trees = HistGradientBoostingClassifier(**settings, random_state=seed)
            # the trees' own type of numbers, so that they make no copy
            table = np.concatenate(rows.tables, dtype=np.float64)
            weights = np.array(rows.weights)
            with threadpool_limits(limits=1):
                self._trees.fit(table, np.array(rows.labels), sample_weight=weights)

    def __call__(self, table: Table) -> Floats:
        """Return the probability that each row is right: shape (rows,)."""
        from threadpoolctl import threadpool_limits

        if self._trees is None:
            return np.full(len(table), self._always, np.float32)
        with threadpool_limits(limits=1):
            found: Floats = self._trees.predict_proba(table)[:, 1].astype(np.float32)
        return found


@dataclass
class TreeModels:
    """The trees that classify candidates, intents (no intent among them) and requested slots."""

    values: Trees
    intents: Trees
    requests: Trees
