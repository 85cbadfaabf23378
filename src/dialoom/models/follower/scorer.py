"""Scores of actions that carry to other tasks: boosted trees, small nets, weights of words.

A net has one hidden layer with rectified units, dropout on inputs and units, Adam (Kingma & Ba
2015), and the cross-entropy of the right action among all actions of its question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.learn.trees import Trees, one_thread
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.similarity import Vector
from dialoom.models.follower.word_weights import Floats, Integers, WordWeights, cross_fitted

Booleans = npt.NDArray[np.bool_]

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
        self, features: Floats, labels: Booleans, sizes: Integers, draw: np.random.Generator
    ) -> None:
        starts = np.cumsum(sizes) - sizes
        batch = min(BATCH, len(sizes))
        rounds = len(sizes) // batch
        steps, step = EPOCHS * rounds, 0
        moments = [(np.zeros_like(weight), np.zeros_like(weight)) for weight in self._weights]
        for _ in range(EPOCHS):
            order = draw.permutation(len(sizes))
            for number in range(rounds):
                sample = order[number * batch : (number + 1) * batch]
                places = np.cumsum(sizes[sample]) - sizes[sample]
                rows = np.repeat(starts[sample] - places, sizes[sample])
                rows += np.arange(len(rows))
                step += 1
                rate = RATE * min(1.0, step / (WARM * steps)) * (1 - (1 - COLD) * step / steps)
                slopes = self._slopes(features[rows], labels[rows], places, sizes[sample], draw)
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
        mask = draw.random(sums.shape, dtype=np.float32) >= DROPOUT
        gate = mask.astype(np.float32) / np.float32(1 - DROPOUT) * (sums > 0)
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


TREES = Trees(rounds=100, rate=0.16, leaves=15, least=40, penalty=1.0, share=0.5)
"""Settings of the boosted trees: small trees, which transfer better to other domains.

Chosen by learning from four and from seven of STAR's ten domains and testing on the others. Twice
as many at half the rate score no better on all ten (75.6; these 75.9), and take twice as long."""
OTHERS = 6
"""Number of wrong actions of each question that trees learn from, drawn anew for each member.

That is a fourth of STAR's; on its ten domains all of them score 75.9, these 75.6 in half the time.
Learning from some raises the log odds of all actions of a question alike (Prentice and Pyke 1979),
so that their shares stay the same."""


class Learnt(NamedTuple):
    """The actions at a training question, the index of the right one, and the task's domain."""

    here: DescribedActions
    right: int
    domain: str


class ActionScorer:
    """The mean of trees and nets, of one each for each seed, fitted on training questions.

    `net` is the weight of the nets, from 0 to 1. Without `words`, scores by the user's words are no
    feature.
    """

    def __init__(
        self, learnt: Sequence[Learnt], seeds: Sequence[int], net: float, *, words: bool = True
    ) -> None:
        self.net = net
        sizes = np.array([len(each.here.actions) for each in learnt])
        labels = np.zeros(sizes.sum(), bool)
        labels[np.cumsum(sizes) - sizes + [each.right for each in learnt]] = True
        with one_thread():
            features = self._weighed(learnt, words=words)
            self._trees = []
            for seed in seeds:
                rows = _drawn(labels, sizes, seed)
                self._trees.append(TREES.fit(features[rows], labels[rows], seed))
            self._nets = [Net(features, labels, sizes, seed) for seed in seeds if net]

    def _weighed(self, learnt: Sequence[Learnt], *, words: bool) -> Floats:
        described, right, domains = zip(*learnt, strict=True)
        features = np.concatenate([here.features for here in described])
        self._words: WordWeights | None = None
        if not words:
            return features
        columns, self._words = cross_fitted(described, right, domains)
        return np.hstack([features, np.concatenate(columns)])

    def score(self, described: Sequence[DescribedActions]) -> list[Vector]:
        """Return the log probability of each action at each point."""
        if not described:
            return []
        ends = np.cumsum([len(here.actions) for here in described])[:-1]
        with one_thread():
            features = np.concatenate([self._features(here) for here in described])
            grown = sum(trees.odds(features) for trees in self._trees) / len(self._trees)
            trained = sum(net.score(features) for net in self._nets) / len(self._trees)
        scores = [log_shares(part) for part in np.split(grown, ends)]
        if not self._nets:
            return scores
        nets = [log_shares(part) for part in np.split(np.asarray(trained), ends)]
        both = zip(scores, nets, strict=True)
        return [(1 - self.net) * one + self.net * two for one, two in both]

    def _features(self, here: DescribedActions) -> Floats:
        if self._words is None:
            return here.features
        return np.hstack([here.features, self._words.columns(here)])


def _drawn(labels: npt.NDArray[np.bool_], sizes: Integers, seed: int) -> Integers:
    """Return the rows of the right actions, and of `OTHERS` random other actions of each question.

    `labels` marks right actions, shape (actions of all questions,); `sizes` counts those of each.
    """
    draws = np.random.default_rng(seed).random(len(labels))
    draws[labels] = -1.0
    questions = np.repeat(np.arange(len(sizes)), sizes)
    order = np.lexsort((draws, questions))
    places = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return np.sort(order[places <= OTHERS])


def log_shares(scores: Vector) -> Vector:
    """Return the log softmax of scores."""
    above = scores - scores.max()
    shares: Vector = above - np.log(np.exp(above).sum())
    return shares
