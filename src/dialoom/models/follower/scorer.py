"""Scores of actions that carry to other tasks: boosted trees, small nets, weights of words.

scorer = ActionScorer(learnt, domains, seeds=range(2), net=0.4)
scorer.score(described)      # the log probability of each action at each point
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.learn.trees import Trees, one_thread
from dialoom.models.follower.net import Floats, Net
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.similarity import Vector
from dialoom.models.follower.word_weights import Integers, WordWeights, cross_fitted

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
        """Return the features of all actions, with those by the user's words."""
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
