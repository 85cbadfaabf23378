"""Gradient-boosted trees that classify rows of features, or predict a number for each."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit the threads of numerical libraries to one in a `with` block, or a decorated function.

    Sums would depend on the number of threads.
    """
    with _controller(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _controller(modules: int) -> ThreadpoolController:
    """Return the controller of the libraries that so many imported modules have loaded.

    Finding the libraries takes a millisecond; only imports load others.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


Row = list[float]
Rows = Sequence[Row] | npt.NDArray[Any]
"""Features: shape (rows, features)."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Trees:
    """Settings of boosted trees, scikit-learn's on histograms without early stopping.

    Attributes:
        leaves: Most leaves of a tree.
        least: Least rows of a leaf.
        penalty: Weight of the L2 penalty; without it, the scores of several labels can diverge
            if the labels are easily separated.
        share: Share of the features that each split is chosen from, at random.
        bins: Most bins of a feature's values.
    """

    rounds: int = 100
    rate: float = 0.15
    leaves: int = 15
    least: int = 20
    penalty: float = 5.0
    share: float = 1.0
    bins: int = 255

    def fit(
        self, rows: Rows, labels: Sequence[Any] | npt.NDArray[Any], seed: int, weights: Any = None
    ) -> FittedTrees:
        """Return trees that classify rows; with a single label in training, it is certain."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        if len(set(labels)) < 2:
            return FittedTrees(None, list(labels[:1]))
        model = HistGradientBoostingClassifier(**self._settings(seed))
        with one_thread():
            model.fit(_table(rows), np.array(labels), sample_weight=weights)
        return FittedTrees(model, model.classes_.tolist())

    def regress(self, rows: Rows, targets: Floats, seed: int) -> TreeRegression:
        """Return trees that predict a number for each row; arguments as of `fit`."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        with one_thread():
            model = HistGradientBoostingRegressor(**self._settings(seed))
            return TreeRegression(model.fit(_table(rows), targets))

    def _settings(self, seed: int) -> dict[str, Any]:
        return {
            "max_iter": self.rounds,
            "learning_rate": self.rate,
            "max_leaf_nodes": self.leaves,
            "min_samples_leaf": self.least,
            "l2_regularization": self.penalty,
            "max_features": self.share,
            "max_bins": self.bins,
            "early_stopping": False,
            "random_state": seed,
        }


@dataclass(frozen=True)
class FittedTrees:
    """Trees that classify rows; `model` is None if training has at most one label."""

    model: Any
    classes: list[Any]

    def chances(self, rows: Rows) -> Floats:
        """Return the probability of each class: shape (rows, classes)."""
        if self.model is None or not len(rows):
            return np.ones((len(rows), len(self.classes)))
        with one_thread():
            shares: Floats = self.model.predict_proba(_table(rows))
        return shares

    def chance(self, label: Any, rows: Rows) -> Floats:
        """Return the probability of a label, 0 for one that training does not have: (rows,)."""
        if label not in self.classes:
            return np.zeros(len(rows))
        return self.chances(rows)[:, self.classes.index(label)]

    def odds(self, rows: Rows) -> Floats:
        """Return the log odds of the second of two classes: shape (rows,)."""
        with one_thread():
            logits: Floats = self.model.decision_function(_table(rows))
        return logits


@dataclass(frozen=True)
class TreeRegression:
    """Trees that predict a number for each row."""

    model: Any

    def predict(self, rows: Rows) -> Floats:
        """Return the predicted numbers: shape (rows,)."""
        with one_thread():
            numbers: Floats = self.model.predict(_table(rows))
        return numbers


def keep_few(table: Floats, bins: int = Trees.bins) -> None:
    """Leave each feature of a table (rows, features) so many values at most, in place.

    The values between two quantiles become their mean. Trees see no more values anyway; but with
    weights of rows, scikit-learn finds the quantiles one by one, each over all rows.
    """
    shares = np.arange(1, bins) / bins
    for n, column in enumerate(table.T):
        if len(np.unique(column)) > bins:
            at = np.searchsorted(np.quantile(column, shares, method="inverted_cdf"), column)
            means = np.bincount(at, column) / np.maximum(np.bincount(at), 1)
            table[:, n] = means[at]


def _table(rows: Rows) -> npt.NDArray[Any]:
    """Return rows as an array; those of an array keep their precision."""
    return rows if isinstance(rows, np.ndarray) else np.array(rows, np.float32)
