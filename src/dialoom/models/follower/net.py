"""A small neural net that scores the actions of a question.

One hidden layer with rectified units, dropout on inputs and units, Adam (Kingma & Ba 2015), and the
cross-entropy of the right action among all actions of its question.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

UNITS = 64
EPOCHS = 12
"""Passes over the training questions."""
BATCH = 256
RATE = 3e-3
"""The learning rate, times a rise over the first steps and a fall over all, both linear."""
WARM = 0.1
"""The share of steps in which the learning rate rises."""
COLD = 0.02
"""The learning rate of the last step, as a share of `RATE`."""
DECAY = 1e-4
"""Weight decay, added to the gradient's step."""
INPUT_DROPOUT, DROPOUT = 0.1, 0.3
"""The probabilities with which an input, and a hidden unit, is left out of a step."""
MOMENTS = 0.9, 0.99
"""Decay rates of the moving averages of gradients and of their squares (Adam)."""
WIDEST = 4.0
"""Inputs further from the mean than so many standard deviations are clipped: other tasks have
values that training lacks."""


class Net:
    """Scores actions by their features.

    `features` has a row for each action, those of a question together; `labels` marks one action of
    each as right; `sizes` counts the actions of each. `seed` draws the first weights, the order of
    questions, and dropout.
    """

    def __init__(self, features: Floats, labels: Booleans, sizes: Integers, seed: int) -> None:
        self._mean = features.mean(axis=0)
        self._spread = features.std(axis=0) + np.float32(1e-3)
        draw = np.random.default_rng(seed)
        width = features.shape[1]
        self._weights: list[Floats] = [
            draw.normal(0, np.sqrt(2 / width), (width, UNITS)).astype(np.float32),
            np.zeros(UNITS, np.float32),
            draw.normal(0, np.sqrt(1 / UNITS), UNITS).astype(np.float32),
        ]
        self._train(self._scaled(features), labels, sizes, draw)

    def score(self, features: Floats) -> npt.NDArray[np.float64]:
        """Return the score of each row: comparable within a question."""
        # in double precision, how many rows are scored at once does not change the sixth digit
        into, bias, out = (weight.astype(np.float64) for weight in self._weights)
        scores: npt.NDArray[np.float64] = np.maximum(self._scaled(features) @ into + bias, 0) @ out
        return scores

    def _scaled(self, features: Floats) -> Floats:
        scaled: Floats = np.clip((features - self._mean) / self._spread, -WIDEST, WIDEST)
        return scaled

    def _train(
        self,
        features: Floats,
        labels: Booleans,
        sizes: Integers,
        draw: np.random.Generator,
    ) -> None:
        starts = np.cumsum(sizes) - sizes
        batch = min(BATCH, len(sizes))
        rounds = len(sizes) // batch
        steps, step = EPOCHS * rounds, 0
        moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self._weights]
        for _ in range(EPOCHS):
            order = draw.permutation(len(sizes))
            for number in range(rounds):
                chosen = order[number * batch : (number + 1) * batch]
                places = np.cumsum(sizes[chosen]) - sizes[chosen]
                rows = np.repeat(starts[chosen] - places, sizes[chosen])
                rows += np.arange(len(rows))
                step += 1
                rate = RATE * min(1.0, step / (WARM * steps)) * (1 - (1 - COLD) * step / steps)
                slopes = self._slopes(features[rows], labels[rows], places, sizes[chosen], draw)
                self._descend(slopes, moments, step, rate)

    def _slopes(
        self,
        features: Floats,
        labels: Booleans,
        places: Integers,
        sizes: Integers,
        draw: np.random.Generator,
    ) -> tuple[Floats, ...]:
        into, bias, out = self._weights
        inputs = features * (draw.random(features.shape, dtype=np.float32) >= INPUT_DROPOUT)
        sums = inputs @ into + bias
        kept = draw.random(sums.shape, dtype=np.float32) >= DROPOUT
        gate = kept.astype(np.float32) / np.float32(1 - DROPOUT) * (sums > 0)
        units = sums * gate
        scores = units @ out
        odds = np.exp(scores - np.repeat(np.maximum.reduceat(scores, places), sizes))
        shares = odds / np.repeat(np.add.reduceat(odds, places), sizes)
        errors = ((shares - labels) / len(sizes)).astype(np.float32)
        back = np.outer(errors, out) * gate
        return inputs.T @ back, back.sum(axis=0), units.T @ errors

    def _descend(
        self,
        slopes: tuple[Floats, ...],
        moments: list[tuple[Floats, Floats]],
        step: int,
        rate: float,
    ) -> None:
        first, second = MOMENTS
        for weight, slope, (mean, square) in zip(self._weights, slopes, moments, strict=True):
            mean += (1 - first) * (slope - mean)
            square += (1 - second) * (slope**2 - square)
            pace = mean / (1 - first**step) / (np.sqrt(square / (1 - second**step)) + 1e-8)
            weight -= (rate * (pace + DECAY * weight)).astype(np.float32)
