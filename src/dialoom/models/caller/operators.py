"""The operator of a constraint, learnt from phrases next to the value and from earlier calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from dialoom.dialogue.constraint import Operator
from dialoom.learn.trees import FittedTrees, Trees
from dialoom.schema.values import Kind

Vector = npt.NDArray[np.float32]
Matrix = npt.NDArray[np.float32]


class ColumnLayout:
    """Assigns a column to each feature name; once closed, it ignores new names."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.closed = False

    def vector(self, row: Mapping[str, float]) -> Vector:
        """Return a row as a vector; missing columns are NaN."""
        if not self.closed:
            for name in row:
                self.places.setdefault(name, len(self.places))
        array = np.full(len(self.places), np.nan, dtype=np.float32)
        for name, value in row.items():
            if name in self.places:
                array[self.places[name]] = value
        return array

    def table(self, vectors: Sequence[Vector]) -> Matrix:
        """Return vectors as rows of a matrix, shorter ones of earlier layouts filled with NaN."""
        matrix = np.full((len(vectors), len(self.places)), np.nan, dtype=np.float32)
        for number, vector in enumerate(vectors):
            matrix[number, : len(vector)] = vector
        return matrix

    def beginning(self, prefixes: tuple[str, ...]) -> list[int]:
        """Return the columns whose names begin with one of the prefixes."""
        return [place for name, place in self.places.items() if name.startswith(prefixes)]


TOLD_BY = ("kind_", "compared_", "queried_", "form_", "multiple", "values")
"""Prefixes of the features that the trees use."""

ORDERED: tuple[Kind, ...] = ("number", "time", "date")
"""The kinds of values that have an order."""

COMPARING: frozenset[Operator] = frozenset(("at_least", "at_most", "less", "greater"))
"""The operators for values of these kinds."""

TREES = Trees(rounds=40, rate=0.1, leaves=8, penalty=10.0)


class OperatorChooser:
    """Chooses the likeliest of the operators that fit the type of a value.

    Values of ordered kinds may be compared, a slot with several values may contain one; all other
    values are equal. With only one operator in training, it always chooses "equal". The layout of
    the vectors must be closed.
    """

    def __init__(self, layout: ColumnLayout, seed: int) -> None:
        self._seed = seed
        self._columns = layout.beginning(TOLD_BY)
        self._ordered = layout.beginning(tuple(f"kind_{kind}" for kind in ORDERED))
        self._multiple = layout.beginning(("multiple",))
        self._trees: FittedTrees | None = None

    def fit(self, vectors: Matrix, labels: Sequence[Operator]) -> None:
        """Fit on the features (values, columns) and the operator of each value."""
        if len(set(labels)) > 1:
            self._trees = TREES.fit(vectors[:, self._columns], labels, self._seed)

    def choose(self, vectors: Matrix) -> list[Operator]:
        """Return an operator for each row of features: shape (values, columns)."""
        if self._trees is None or not len(vectors):
            return ["equal"] * len(vectors)
        names: list[Operator] = self._trees.classes
        shares = self._trees.chances(vectors[:, self._columns])
        operators: list[Operator] = []
        for vector, row in zip(vectors, shares, strict=True):
            allowed = self._allowed(vector)
            ranked = sorted(zip(row, names, strict=True), reverse=True)
            operators.append(next((name for _, name in ranked if name in allowed), "equal"))
        return operators

    def _allowed(self, vector: Vector) -> frozenset[Operator]:
        if (vector[self._multiple] == 1).any():
            return frozenset(("contains", "equal"))
        return frozenset(("equal", *(COMPARING if (vector[self._ordered] == 1).any() else ())))
