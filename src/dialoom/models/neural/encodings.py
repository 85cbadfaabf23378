"""Vectors of texts by a frozen encoder, cached in the process.

A text's vector is the mean of its tokens' last hidden states.

    vectors = encodings(None, 128)
    vectors(["where to?", "when do you leave?"])  # an array of 2 x 384
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dialoom.models.neural.weights import load

if TYPE_CHECKING:
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

NEEDING = "a text encoder"
"""The thing that needs the libraries, for error messages."""

KEPT = 200_000
"""Most vectors cached in the process, some 300 MB of MiniLM's."""


@lru_cache(maxsize=2)
def encodings(weights: str | None, length: int) -> Encodings:
    """Return the (shared) encoder of some weights, by default MiniLM's.

    It reads the last `length` tokens of a text. `MissingExtraError` if the libraries or MiniLM's
    weights are not installed; `MissingDataError` or `FormatError` for a folder without valid
    weights.
    """
    return Encodings(weights, length)


class Encodings:
    """Encodes texts, with a cache; arguments as of `encodings`."""

    def __init__(self, weights: str | None, length: int) -> None:
        self._tokenizer, self._encoder = load(weights, NEEDING)
        self._length = length
        self._known: dict[str, Vectors] = {}

    @property
    def size(self) -> int:
        """Dimensions of a text's vector."""
        return int(self._encoder.config.hidden_size)

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts: shape (texts, size)."""
        if len(self._known) > KEPT:
            self._known.clear()
        for text in sorted({*texts} - self._known.keys()):
            self._known[text] = self._encode(text)
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.size), np.float32)

    def _encode(self, text: str) -> Vectors:
        """Return the vector of one text; in a batch, rounding would depend on the other texts."""
        import torch

        with torch.inference_mode():
            (row,) = mean_states(self._tokenizer, self._encoder, [text], self._length)
        made: Vectors = row.float().cpu().numpy()
        return made


def mean_states(tokenizer: Any, encoder: Any, texts: Sequence[str], length: int) -> Any:
    """Return the mean of the last hidden states of each text's tokens: shape (texts, size)."""
    tokens = tokenizer(
        list(texts), padding=True, truncation=True, max_length=length, return_tensors="pt"
    ).to(encoder.device)
    states = encoder(**tokens).last_hidden_state
    mask = tokens["attention_mask"].unsqueeze(-1).float()
    return (states * mask).sum(1) / mask.sum(1).clamp(min=1.0)
