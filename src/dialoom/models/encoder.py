"""Text encoders behind one small interface: how alike are these texts?

encoder = encoders.get("tfidf")()
encoder.fit(["where to?", "when do you leave?"])
encoder.similarity(["when"], ["where to?", "when do you leave?"])  # an array of 1 x 2
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from dialoom.registry import Registry

if TYPE_CHECKING:
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]


class Encoder(Protocol):
    """Tells how alike texts are, from 0 to 1."""

    def fit(self, texts: Iterable[str]) -> None:
        """Learn from texts what is common; an encoder with nothing to learn ignores them."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """Return the similarity of each text of `left` (rows) to each of `right` (columns)."""


class TfidfEncoder:
    """Term weights over words, pairs of words and pieces of words; needs no training data."""

    PARTS: tuple[dict[str, Any], ...] = (
        {"analyzer": "word", "ngram_range": (1, 2), "token_pattern": r"(?u)\b\w+\b"},
        {"analyzer": "char_wb", "ngram_range": (2, 4)},
    )
    """Whole words tell what is meant, pieces forgive misspellings; both count half."""

    def __init__(self) -> None:
        from sklearn.feature_extraction.text import TfidfVectorizer

        self._parts = [
            TfidfVectorizer(sublinear_tf=True, lowercase=True, **part) for part in self.PARTS
        ]
        self._against: tuple[tuple[str, ...], list[Any]] = ((), [])

    def fit(self, texts: Iterable[str]) -> None:
        """Learn the weights of terms."""
        known = sorted(set(texts)) or [""]
        self._against = ((), [])
        for part in self._parts:
            part.fit(known if any(text.strip() for text in known) else ["empty"])

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> Matrix:
        """Return cosines of the weighted term counts."""
        total = np.zeros((len(left), len(right)))
        if total.size:
            for part, weights in zip(self._parts, self._weights(tuple(right)), strict=True):
                product = part.transform(left) @ weights
                total += np.asarray(product.toarray(), dtype=np.float64)
        return total / len(self._parts)

    def _weights(self, right: tuple[str, ...]) -> list[Any]:
        """The weights of texts to compare with; kept, for they are mostly the same ones again."""
        texts, weights = self._against
        if texts != right:
            weights = [part.transform(right).T for part in self._parts]
            self._against = (right, weights)
        return weights


encoders: Registry[Callable[[], Encoder]] = Registry(
    "encoder",
    "dialoom.encoders",
    {
        "tfidf": "dialoom.models.encoder:TfidfEncoder",
        "minilm": "dialoom.models.minilm:MiniLmEncoder",
    },
    extra="neural",
)
