"""From scores to answers: calibrated probabilities, and a decision at a threshold.

Both are learnt from scores of training questions; those of trees are scores of tasks that the trees
were not fitted on. Probabilities are those of an isotonic regression (Zadrozny & Elkan 2002), mixed
with a small share of the score to keep the order of scores on its flat parts. The threshold is that
of the best macro F1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dialoom.dialogue import Prediction

if TYPE_CHECKING:
    import numpy.typing as npt

    Vector = npt.NDArray[np.float64]

IN, OUT = "in", "out"
"""The decisions about a turn, as labels of a ranking."""

ORDERED = 0.02
"""The share of the score in a probability, to keep the order if the regression is flat."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Turns scores, from 0 to 1, into answers.

    `curve` is a fitted isotonic regression, from scores to the probability of being out of scope;
    turns with a score of `threshold` or more are out of scope.
    """

    curve: Any
    threshold: float

    def answers(self, scores: Vector) -> list[Prediction[float]]:
        """Return the answers to questions with given scores: shape (questions,)."""
        likely = (1 - ORDERED) * self.curve.predict(scores) + ORDERED * scores
        return [
            _answer(float(out), decided=bool(score >= self.threshold))
            for out, score in zip(likely, scores, strict=True)
        ]


def learn(scores: Vector, out: Sequence[bool]) -> Decision:
    """Fit on the scores (0 to 1) of training questions, and whether each is out of scope."""
    from sklearn.isotonic import IsotonicRegression

    curve = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip")
    return Decision(curve.fit(scores, np.array(out, dtype=float)), _threshold(scores, out))


def _threshold(scores: Vector, out: Sequence[bool]) -> float:
    order = np.argsort(-scores, kind="stable")
    right = np.array(out, dtype=float)[order]
    hits = np.cumsum(right)
    named = np.arange(1, len(right) + 1)
    total, count = right.sum(), len(right)
    first = 2 * hits / (named + total)
    rest = (count - named) - (total - hits)
    second = 2 * rest / np.maximum((count - named) + (count - total), 1)
    return float(scores[order][int(np.argmax(first + second))])


def _answer(out: float, *, decided: bool) -> Prediction[float]:
    """Return the probability of being in scope, with the decision first in the ranking."""
    ways = ((OUT, round(out, 6)), (IN, round(1 - out, 6)))
    return Prediction(round(1 - out, 6), ways if decided else ways[::-1])
