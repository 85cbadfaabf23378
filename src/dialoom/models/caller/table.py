"""Rows of named features as vectors of one layout, which grows until it is closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

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
        found = np.full(len(self.places), np.nan, dtype=np.float32)
        for name, value in row.items():
            if name in self.places:
                found[self.places[name]] = value
        return found

    def table(self, vectors: Sequence[Vector]) -> Matrix:
        """Return vectors as rows of a matrix, shorter ones of earlier layouts filled with NaN."""
        found = np.full((len(vectors), len(self.places)), np.nan, dtype=np.float32)
        for number, vector in enumerate(vectors):
            found[number, : len(vector)] = vector
        return found

    def beginning(self, prefixes: tuple[str, ...]) -> list[int]:
        """Return the columns whose names begin with one of the prefixes."""
        return [place for name, place in self.places.items() if name.startswith(prefixes)]
