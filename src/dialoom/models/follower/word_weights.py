"""Scores of actions by the user's words: the other features, with weights that depend on words.

A conditional logit (McFadden 1974) whose weights are sums over words: the score of an action with
features x is the sum of W[w, f] x[f] over words w and features f. Words are those that several
domains use, so that the response to "that is all" or "sounds good" is learnt from dialogues of
other tasks. The scores of a domain's training questions come from weights fitted without that
domain, as those of an unseen domain do (stacking, Wolpert 1992).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from dialoom.learn.crossfit import balanced, parts
from dialoom.models.follower.features import DecisionPoint
from dialoom.models.follower.rules import DescribedActions
from dialoom.schema.flow import CUSTOM, QUERIES

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

RARE = 5
"""Words in fewer questions are left out."""
DOMAINS = 3
"""Words in fewer domains are left out, if training has that many domains."""
PENALTY = 3.0
"""Weight of the L2 penalty, relative to the summed log-likelihood."""
STEPS = 60
"""Iterations of L-BFGS at most."""
FOLDS = 5
"""Number of groups of domains that are left out by turns."""
WIDEST = 5.0
"""Features further from the mean than so many standard deviations are clipped."""
BLOCK = 64
"""The most questions whose actions are scored at a time: they fit into a processor's cache."""
LEAST = 1e-6
"""Features with a smaller standard deviation among the actions of a question are left out."""

_WORD = re.compile(r"\w+|[?!]")


def spoken_words(text: str) -> list[str]:
    """Return the words of an utterance in order, question and exclamation marks as words."""
    return [word.lower() for word in _WORD.findall(text)]


def heard_words(point: DecisionPoint) -> Iterator[str]:
    """Yield the last user turn's words, pairs of words, and words with the last action's type."""
    if point.progress.kind == "user":
        terms, after = spoken_words(point.progress.user), _sort(point)
        yield from ("", f"after {after}", *terms)
        yield from (f"{one} {two}" for one, two in pairwise(terms))
        yield from (f"{word} after {after}" for word in terms)


def _sort(point: DecisionPoint) -> str:
    last, progress = point.progress.last, point.progress
    if last is None or last == CUSTOM or last in QUERIES:
        return last or "start"
    if last in point.program.links:
        return "ask"
    return "question" if "?" in progress.last_text else "statement"


class WordWeights:
    """Scores the actions of a question by the user's words.

    `chosen` are the numbers of the right actions of the training questions, `domains` their
    domains.
    """

    def __init__(
        self, described: Sequence[DescribedActions], choices: Sequence[int], domains: Sequence[str]
    ) -> None:
        self._rows: dict[str, int] = {}
        self._used: Integers = np.zeros(0, np.int64)
        self._spread: Floats = np.zeros(0, np.float32)
        self._weights: Floats = np.zeros((0, 0), np.float32)
        numbers = [number for number, here in enumerate(described) if here.heard]
        if numbers:
            self._fit(
                [described[number] for number in numbers],
                np.array([choices[number] for number in numbers]),
                [domains[number] for number in numbers],
            )

    def columns(self, here: DescribedActions) -> Floats:
        """Return two columns for a question's actions, zeros if the user said nothing.

        The log probability of each action, and its difference from the highest score.
        """
        rows = [self._rows[word] for word in sorted(here.heard) if word in self._rows]
        if not rows:
            return np.zeros((len(here.actions), 2), np.float32)
        weights = self._weights[rows].sum(axis=0, dtype=np.float64) / np.sqrt(len(rows))
        scores = self._scaled(here.features).astype(np.float64) @ weights
        scores -= scores.max()
        shares = scores - np.log(np.exp(scores).sum())
        return np.stack([shares, scores], axis=1).astype(np.float32)

    def _scaled(self, features: Floats) -> Floats:
        used = features[:, self._used]
        scaled: Floats = np.clip((used - used.mean(axis=0)) / self._spread, -WIDEST, WIDEST)
        return scaled

    def _fit(
        self, described: Sequence[DescribedActions], choices: Integers, domains: Sequence[str]
    ) -> None:
        from scipy.optimize import minimize
        from scipy.sparse import csr_matrix

        centred = [here.features - here.features.mean(axis=0) for here in described]
        spread = np.sqrt(np.mean(np.concatenate(centred) ** 2, axis=0))
        self._used = np.flatnonzero(spread > LEAST)
        self._spread = spread[self._used]
        general = _general(described, domains) if len(self._used) else []
        self._rows = {word: row for row, word in enumerate(general)}
        if not general:
            return
        places = [
            [self._rows[w] for w in sorted(here.heard) if w in self._rows] for here in described
        ]
        counts = np.array([len(each) for each in places])
        shares = np.repeat(1 / np.sqrt(np.maximum(counts, 1)), counts).astype(np.float32)
        ends = np.concatenate([[0], np.cumsum(counts)])
        size = len(described), len(self._rows)
        terms = csr_matrix((shares, [p for each in places for p in each], ends), shape=size)
        features = np.concatenate([self._scaled(here.features) for here in described])
        problem = _Problem(terms, features, np.array([len(h.actions) for h in described]), choices)
        start = np.zeros(len(self._rows) * len(self._used))
        optimum = minimize(
            problem, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 8}
        )
        self._weights = optimum.x.reshape(len(self._rows), -1).astype(np.float32)


class _Problem:
    """The penalised loss of weights, and its gradient.

    `said` has shape (questions, words), `features` (actions of all, features), `sizes` and `chosen`
    the number of actions and the right action of each question.
    """

    def __init__(self, words: Any, features: Floats, sizes: Integers, choices: Integers) -> None:
        order = np.argsort(sizes, kind="stable")
        self.said = words[order]
        self.heard = self.said.T.tocsr()
        first, choices = (np.cumsum(sizes) - sizes)[order], choices[order]
        self.blocks = []
        """Each block's questions, their features (questions, actions, features) and right
        actions. Questions of a block have the same number of actions."""
        for size in np.unique(sizes):
            start, end = np.searchsorted(sizes[order], [size, size + 1])
            for begin in range(start, end, BLOCK):
                block = slice(begin, min(begin + BLOCK, end))
                actions = first[block, None] + np.arange(size)
                self.blocks.append((block, features[actions], choices[block]))

    def __call__(self, flat: npt.NDArray[np.float64]) -> tuple[float, npt.NDArray[np.float64]]:
        weights = flat.reshape(self.heard.shape[0], -1).astype(np.float32)
        of_words = self.said @ weights
        slopes = np.empty_like(of_words)
        loss = PENALTY / 2 * float(flat @ flat)
        for block, features, right in self.blocks:
            scores = np.matmul(features, of_words[block, :, None])[:, :, 0]
            scores -= scores.max(axis=1, keepdims=True)
            odds = np.exp(scores)
            sums = odds.sum(axis=1)
            each = np.arange(len(right))
            loss += float((np.log(sums) - scores[each, right]).sum(dtype=np.float64))
            errors = odds / sums[:, None]
            errors[each, right] -= 1
            slopes[block] = np.matmul(errors[:, None, :], features)[:, 0]
        gradient = (self.heard @ slopes).astype(np.float64).ravel() + PENALTY * flat
        return loss, gradient


def _general(described: Sequence[DescribedActions], domains: Sequence[str]) -> list[str]:
    counts = Counter(word for here in described for word in here.heard)
    users = defaultdict(set)
    for here, domain in zip(described, domains, strict=True):
        for word in here.heard:
            users[word].add(domain)
    least = min(DOMAINS, len(set(domains)))
    return sorted(w for w, count in counts.items() if count >= RARE and len(users[w]) >= least)


def cross_fitted(
    described: Sequence[DescribedActions], choices: Sequence[int], domains: Sequence[str]
) -> tuple[list[Floats], WordWeights]:
    """Return each question's columns by weights fitted without its domain, and weights of all.

    If there is only one domain, single questions are left out by turns.
    """
    names = list(domains)
    if len(set(names)) < 2:
        names = [str(number % FOLDS) for number in range(len(names))]
    tables: list[Floats] = [np.zeros((0, 2), np.float32)] * len(described)
    for rest, fold in parts(balanced(names, FOLDS)):
        weights = WordWeights(
            [described[n] for n in rest], [choices[n] for n in rest], [domains[n] for n in rest]
        )
        for number in fold:
            tables[number] = weights.columns(described[number])
    return tables, WordWeights(described, choices, domains)
