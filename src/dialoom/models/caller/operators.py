"""The operator of a constraint: learnt from the phrases beside a value and what was asked before.

chooser = OperatorChooser(layout, seed=0)
chooser.fit(vectors, ["equal", "at_most", …])
chooser.choose(vectors)          # ["at_most", …]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from dialoom.dialogue.constraint import Operator
from dialoom.models.caller.table import Layout, Matrix

TOLD_BY = ("kind_", "compared_", "queried_", "form_", "multiple", "values")
"""What the features begin with that may tell an operator."""

TREES: dict[str, Any] = {
    "max_iter": 40,
    "max_leaf_nodes": 8,
    "min_samples_leaf": 10,
    "early_stopping": False,
}


class OperatorChooser:
    """Chooses operators; where training has one alone, always that one.

    Args:
        layout: The layout of the vectors that it gets.
        seed: Where the trees' randomness comes from.
    """

    def __init__(self, layout: Layout, seed: int) -> None:
        self._seed = seed
        self._columns = layout.beginning(TOLD_BY)
        self._only: Operator = "equal"
        self._trees: Any = None

    def fit(self, vectors: Matrix, labels: Sequence[Operator]) -> None:
        """Learn from the features of values and their operators."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        if len(set(labels)) > 1:
            trees = HistGradientBoostingClassifier(**TREES, random_state=self._seed)
            self._trees = trees.fit(vectors[:, self._columns], list(labels))
        elif labels:
            self._only = labels[0]

    def choose(self, vectors: Matrix) -> list[Operator]:
        """Return an operator for each vector."""
        if self._trees is None or not len(vectors):
            return [self._only] * len(vectors)
        return [
            cast(Operator, str(each)) for each in self._trees.predict(vectors[:, self._columns])
        ]
