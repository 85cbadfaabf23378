"""Wordings as rows of n-grams: the product of two rows is the number of n-grams they share.

The second occurrence of an n-gram in a wording has a column of its own, so that products clip
counts as BLEU does: an n-gram counts no more often than it occurs on both sides. A placeholder is
one token.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dialoom.models.realiser.wording import Placeholder, Wording

if TYPE_CHECKING:
    import numpy as np


ORDER = 4
"""The longest n-gram of BLEU."""


class NgramSpace:
    """Assigns a column to each n-gram, and to each repetition of it."""

    def __init__(self) -> None:
        self._columns: dict[tuple[Any, ...], int] = {}
        self._orders = bytearray()

    def row(self, wording: Wording) -> list[int]:
        """Return the columns of a wording's n-grams; new ones get new columns."""
        said = tokens(wording)
        counts: Counter[tuple[str | Placeholder, ...]] = Counter()
        found = []
        for size in range(1, ORDER + 1):
            for gram in zip(*(said[start:] for start in range(size)), strict=False):
                key = (gram, counts[gram])
                counts[gram] += 1
                column = self._columns.get(key)
                if column is None:
                    column = self._columns[key] = len(self._orders)
                    self._orders.append(size - 1)
                found.append(column)
        return found

    def orders(self) -> np.ndarray[Any, Any]:
        """Return the length minus one of each column's n-gram: shape (columns,)."""
        import numpy as np

        return np.frombuffer(self._orders, dtype=np.int8)

    def matrix(self, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
        """Return rows as a CSR matrix (rows, used columns), and those columns, ascending."""
        import numpy as np
        import scipy.sparse as sp

        columns = np.concatenate([np.asarray(row, dtype=np.int64) for row in rows])
        ends = np.cumsum([0, *map(len, rows)])
        own, places = np.unique(columns, return_inverse=True)
        ones = np.ones(len(columns), dtype=np.float32)
        return sp.csr_matrix((ones, places, ends), shape=(len(rows), len(own))), own


def tokens(wording: Iterable[str | Placeholder]) -> list[str | Placeholder]:
    """Return the tokens of a wording, split as sacrebleu does by default (13a)."""
    found: list[str | Placeholder] = []
    for part in wording:
        found += _split(part) if isinstance(part, str) else (part,)
    return found


@lru_cache(maxsize=1 << 16)
def _split(text: str) -> tuple[str, ...]:
    return tuple(_tokenizer()(text).split())


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()  # type: ignore[no-untyped-call]
