"""Task-specific correction of the scores, for tasks with dialogues in training.

Each task has one logistic regression over the last actions, the known slots and the user's words.
It starts from the log probabilities of the models of all tasks; few dialogues change them little.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from dialoom.learn.crossfit import Integers
from dialoom.learn.trees import Floats, one_thread
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.similarity import Vector
from dialoom.models.follower.word_weights import spoken_words

PENALTY = 5.0
"""Weight of the L2 penalty, relative to the summed log-likelihood."""

STEPS = 60
"""Iterations of L-BFGS at most."""

HALF = 150
"""Number of examples at which corrected and uncorrected scores have equal weight."""

RARE = 2
"""Features that occur at fewer points are left out."""

CONTEXT = 0.3
"""The standard deviation of columns about the dialogue, next to words that are 0 or 1."""

FLOOR = -7.0
"""Log probabilities are clipped below this."""

LEAST = 1e-10
"""Axes whose sum of squares is less than this share of the largest are left out."""

SAME = 1e-6
"""Columns that differ by less are the same."""

LONGEST = 30
"""Values of an item with more characters are not used as features."""


def situation(progress: DialogueProgress, filled: Iterable[str]) -> Iterator[str]:
    """Yield the sparse features of a point; `filled` are answered questions before a query."""
    filled = list(filled)
    before, last = [None, None, *progress.trail][-2:]
    here, answers = f"{progress.kind} after {last}", ",".join(filled)
    if progress.elsewhere:
        yield from ("elsewhere", f"{here} elsewhere")
    yield from (here, f"{here} after {before}", f"{here} knowing {answers}", f"knowing {answers}")
    yield from (f"known {each}" for each in filled)
    if progress.kind == "user":
        spoken = spoken_words(progress.user)
        yield from (f"said {word}" for word in spoken)
        yield from (f"said {word} after {last}" for word in spoken)
        yield from (f"said {one} {two}" for one, two in pairwise(spoken))
    elif progress.kind == "result":
        values = (progress.item or {"": "nothing"}).items()
        yield from (f"{key} is {value}" for key, value in values if len(str(value)) <= LONGEST)


class TaskExperience:
    """Corrects log probabilities of actions by the task's own dialogues.

    `described` are the actions at each point of training, `general` their log probabilities by the
    models of all tasks, `labels` the actions taken.
    """

    def __init__(
        self,
        described: Sequence[DescribedActions],
        general: Sequence[Vector],
        labels: Sequence[str],
    ) -> None:
        features = np.stack([here.features for here in described])
        spread = features[:, 0].std(axis=0)
        alike = np.ptp(features, axis=1).max(axis=0) < SAME
        self._context = np.flatnonzero(alike & (spread > SAME))
        """The columns that are the same for all actions of a point."""
        self._mean = features[:, 0, self._context].mean(axis=0)
        self._spread = spread[self._context]
        counts = Counter(word for here in described for word in here.situation)
        words = sorted(word for word, count in counts.items() if count >= RARE)
        self._words = {word: column for column, word in enumerate(words)}
        self._actions = described[0].actions
        rows = self._rows(described, general)
        place = {action: number for number, action in enumerate(self._actions)}
        points = [number for number, label in enumerate(labels) if label in place]
        self._weight = len(points) / (len(points) + HALF)
        right = np.array([place[labels[number]] for number in points], np.int64)
        self._weights = _fitted(rows[points], np.stack(general)[points], right)

    def correct(
        self, described: Sequence[DescribedActions], general: Sequence[Vector]
    ) -> list[Vector]:
        """Return the corrected log probability of each action at each point.

        Actions that the schema of training lacks keep theirs.
        """
        general_scores = np.stack(general)
        scores = general_scores.copy()
        added = self._rows(described, general) @ self._weights
        for column, number in self._columns(described):
            scores[:, number] += added[:, column]
        return list(general_scores + self._weight * (scores - logsumexp(scores) - general_scores))

    def _rows(self, described: Sequence[DescribedActions], general: Sequence[Vector]) -> Any:
        from scipy.sparse import csr_matrix, hstack

        columns = [
            sorted(self._words[word] for word in here.situation if word in self._words)
            for here in described
        ]
        ends = np.cumsum([0, *map(len, columns)])
        places = np.array([place for each in columns for place in each], np.int64)
        shape = len(described), len(self._words)
        words = csr_matrix((np.ones(len(places)), places, ends), shape=shape)
        context = np.stack([here.features[0, self._context] for here in described])
        scaled = CONTEXT * (context - self._mean) / self._spread
        offsets = np.full((len(described), len(self._actions)), FLOOR)
        for column, number in self._columns(described):
            offsets[:, column] = [max(shares[number], FLOOR) for shares in general]
        return hstack([words, csr_matrix(np.hstack([scaled, offsets]))]).tocsr()

    def _columns(self, described: Sequence[DescribedActions]) -> list[tuple[int, int]]:
        """Return pairs of an action's column in training and its column at these points."""
        place = {action: number for number, action in enumerate(described[0].actions)}
        return [(column, place[a]) for column, a in enumerate(self._actions) if a in place]


def _fitted(rows: Any, general: Floats, right: Integers) -> Floats:
    """Return the weights of a multinomial logistic regression with `general` as offset.

    `rows` is sparse, of shape (points, columns); `general` has log probabilities of shape (points,
    actions), `right` the number of the action taken at each point.
    """
    with one_thread():
        if not 0 < rows.shape[0] < rows.shape[1]:
            return _minimised(rows, general, right)
        points, axes = _spanned(rows)
        weights: Floats = axes @ _minimised(points, general, right)
        return weights


def _spanned(rows: Any) -> tuple[Floats, Floats]:
    """Return points (points, axes) in the space that they span, and its axes (columns, axes).

    The weights of least penalty lie in it (the representer theorem, Kimeldorf and Wahba 1971), and
    its axes are orthonormal, so that the penalty stays the same; a task has far fewer points than
    columns.
    """
    squares, directions = np.linalg.eigh((rows @ rows.T).toarray())
    mask = squares > LEAST * squares[-1]
    lengths = np.sqrt(squares[mask])
    return directions[:, mask] * lengths, rows.T @ (directions[:, mask] / lengths)


def _minimised(rows: Any, general: Floats, right: Integers) -> Floats:
    from scipy.optimize import minimize

    columns, points = rows.T, np.arange(len(right))
    shape = rows.shape[1], general.shape[1]

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights = flat.reshape(shape)
        scores = general + rows @ weights
        scores -= logsumexp(scores)
        errors = np.exp(scores)
        errors[points, right] -= 1
        slopes = columns @ errors + PENALTY * weights
        penalty = PENALTY / 2 * float(flat @ flat)
        return penalty - float(scores[points, right].sum()), slopes.ravel()

    start = np.zeros(shape[0] * shape[1])
    optimum = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    fitted: Floats = optimum.x.reshape(shape)
    return fitted


def logsumexp(scores: Floats) -> Floats:
    """Return log-sum-exp of each row, of shape (rows, 1)."""
    top = scores.max(axis=1, keepdims=True)
    summed: Floats = top + np.log(np.exp(scores - top).sum(axis=1, keepdims=True))
    return summed
