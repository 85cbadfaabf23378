"""The operator of a constraint, learnt from phrases beside the value and from earlier calls.

chooser = OperatorChooser(layout, seed=0)
chooser.fit(vectors, ["equal", "at_most", …])
chooser.choose(vectors)          # ["at_most", …]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialoom.dialogue.constraint import Operator
from dialoom.models.caller.table import ColumnLayout, Matrix, Vector
from dialoom.schema.values import Kind

TOLD_BY = ("kind_", "compared_", "queried_", "form_", "multiple", "values")
"""Prefixes of the features that the trees use."""

ORDERED: tuple[Kind, ...] = ("number", "time", "date")
"""The kinds of values that have an order."""

COMPARING: frozenset[Operator] = frozenset(("at_least", "at_most", "less", "greater"))
"""The operators for values of these kinds."""

TREES: dict[str, Any] = {
    "max_iter": 40,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 20,
    "l2_regularization": 10.0,
    "early_stopping": False,
}
"""Settings of `HistGradientBoostingClassifier`."""


class OperatorChooser:
    """Chooses the likeliest of the operators that suit the type of a value.

    Values of ordered kinds may be compared, a slot with several values may contain one; all other
    values are equal. Where training has only one operator, it always chooses "equal".

    Args:
        layout: The layout of the vectors; closed.
        seed: The seed of the trees.
    """

    def __init__(self, layout: ColumnLayout, seed: int) -> None:
        self._seed = seed
        self._columns = layout.beginning(TOLD_BY)
        self._ordered = layout.beginning(tuple(f"kind_{kind}" for kind in ORDERED))
        self._multiple = layout.beginning(("multiple",))
        self._trees: Any = None

    def fit(self, vectors: Matrix, labels: Sequence[Operator]) -> None:
        """Fit the trees.

        Args:
            vectors: The features of values: shape (values, columns).
            labels: The operator of each.
        """
        from sklearn.ensemble import HistGradientBoostingClassifier

        if len(set(labels)) > 1:
            trees = HistGradientBoostingClassifier(**TREES, random_state=self._seed)
            self._trees = trees.fit(vectors[:, self._columns], list(labels))

    def choose(self, vectors: Matrix) -> list[Operator]:
        """Return an operator for each row of features: shape (values, columns)."""
        if self._trees is None or not len(vectors):
            return ["equal"] * len(vectors)
        names: list[Operator] = self._trees.classes_.tolist()
        shares = self._trees.predict_proba(vectors[:, self._columns])
        found: list[Operator] = []
        for vector, row in zip(vectors, shares, strict=True):
            allowed = self._allowed(vector)
            ranked = sorted(zip(row, names, strict=True), reverse=True)
            found.append(next((name for _, name in ranked if name in allowed), "equal"))
        return found

    def _allowed(self, vector: Vector) -> frozenset[Operator]:
        if (vector[self._multiple] == 1).any():
            return frozenset(("contains", "equal"))
        return frozenset(("equal", *(COMPARING if (vector[self._ordered] == 1).any() else ())))
