"""The metric token-similarity: BERTScore's formula with another encoder.

BERTScore (Zhang et al. 2020): with x and y the unit vectors of the tokens of reference and
candidate, recall is the mean over x of the greatest x.y, precision the mean over y of it, and the
score their F1. Here the vectors are the last states of all-MiniLM-L6-v2, or of an encoder in a
folder, without IDF weights and without rescaling: the numbers are not comparable to BERTScore's.

    dialoom bench gem-generation … --metric token-similarity
    dialoom bench gem-generation … --metric token-similarity=FOLDER
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from dialoom.learn.encodings import TokenEncoder
from dialoom.metrics.pairs import Pair, PairMean

if TYPE_CHECKING:
    import numpy as np

LENGTH = 256
"""Tokens of a text that are encoded, the length that MiniLM was trained with; the rest is cut."""


class TokenSimilarity(PairMean):
    """The mean F1 of tokens matched by their vectors.

    `weights` is a folder of transformers' weights, by default MiniLM's; `MissingExtraError` if
    these are not installed, `MissingDataError` or `FormatError` for other folders.
    """

    name = "token_similarity"
    argument: ClassVar[str] = "a folder of weights"

    def __init__(self, weights: str = "") -> None:
        super().__init__()
        self._weights = Path(weights).name or "all-MiniLM-L6-v2"
        self._encoder = TokenEncoder(weights or None, "the metric token-similarity", LENGTH)
        self._vectors: dict[str, np.ndarray[Any, Any]] = {}

    @property
    def about(self) -> dict[str, str]:
        """The settings, for signatures."""
        return {"weights": self._weights, "states": "last", "idf": "no", "rescaled": "no"}

    def values(self, pairs: Sequence[Pair]) -> list[float]:
        """Return the F1 (0 to 1) of each pair of reference and candidate."""
        return [self._score(self._tokens(gold), self._tokens(guess)) for gold, guess in pairs]

    def _score(self, gold: Any, guess: Any) -> float:
        if not len(gold) or not len(guess):
            return float(len(gold) == len(guess))
        cosines = gold @ guess.T
        recall, precision = float(cosines.max(1).mean()), float(cosines.max(0).mean())
        return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0

    def _tokens(self, text: str) -> Any:
        """Return the unit vectors of a text's tokens (tokens x numbers), without its end marks."""
        if text not in self._vectors:
            import torch

            states = self._encoder.states(text)
            unit = torch.nn.functional.normalize(states[1:-1], dim=1)
            self._vectors[text] = unit.cpu().numpy()
        return self._vectors[text]
