"""The operator of a constraint: learnt from the phrases beside a value and what was asked before.

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
"""What the features begin with that may tell an operator."""

ORDERED: tuple[Kind, ...] = ("number", "time", "date")
"""The kinds of values that can be more or less than another."""

COMPARING: frozenset[Operator] = frozenset(("at_least", "at_most", "less", "greater"))

TREES: dict[str, Any] = {
    "max_iter": 40,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 20,
    "l2_regularization": 10.0,
    "early_stopping": False,
}


class OperatorChooser:
    """Chooses the likeliest of the operators that suit the type of a value.

    What can be more or less may be compared, a slot that takes several values be asked to contain
    one; all else is equal to its value. Where training has one operator alone, there is nothing to
    choose.

    Args:
        layout: The layout of the vectors that it gets.
        seed: Where the trees' randomness comes from.
    """

    def __init__(self, layout: ColumnLayout, seed: int) -> None:
        self._seed = seed
        self._columns = layout.beginning(TOLD_BY)
        self._ordered = layout.beginning(tuple(f"kind_{kind}" for kind in ORDERED))
        self._multiple = layout.beginning(("multiple",))
        self._trees: Any = None

    def fit(self, vectors: Matrix, labels: Sequence[Operator]) -> None:
        """Learn from the features of values and their operators."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        if len(set(labels)) > 1:
            trees = HistGradientBoostingClassifier(**TREES, random_state=self._seed)
            self._trees = trees.fit(vectors[:, self._columns], list(labels))

    def choose(self, vectors: Matrix) -> list[Operator]:
        """Return an operator for each vector."""
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
