"""Scores of a description and of words said, learnt over the pairs of their words.

A logistic model has one weight for each pair (word of the description, word said), so that it
models descriptions it never saw by their words. Pairs are hashed: no vocabulary is kept.
Where both words are the same, that has a weight as well, whatever the word. A sum of weights is
divided by the root of how many pairs there are, so that long descriptions and utterances do not
score the surer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.models.tracker.words import Codes

BITS = 20
"""Pairs are hashed to this many bits."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_OTHER = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX = np.uint64(29)
_SHIFT = np.uint64(64 - BITS)
_HALF = np.uint64(32)

_TOGETHER = 1000
"""Examples whose pairs are found at a time, so that their numbers stay in the processor's cache."""

Floats = npt.NDArray[np.float32]

Places = npt.NDArray[np.int64]
"""Places of weights."""

NOTHING = -50.0
"""Stands for a score that there is none of."""

WORST = -10.0
"""The score of what a description is compared with where there are no others."""


class Pairs(NamedTuple):
    """Places of the weights of pairs of words.

    Attributes:
        every: Of all pairs: shape (words of one, words of the other).
        rows: Which words of one stand among those of the other, once for each.
        same: For each of these the place of the weight that it is the same word.
    """

    every: Places
    rows: npt.NDArray[np.intp]
    same: Places


def pairs(one: Codes, other: Codes) -> Pairs:
    """Return the places of the weights of all pairs of words."""
    alike = np.flatnonzero(one.astype(np.uint32)[:, None] == other.astype(np.uint32))
    rows, columns = divmod(alike, len(other)) if len(alike) else (alike, alike)
    # of the same words the marks alone tell
    same = _places(one[rows] >> _HALF, other[columns] >> _HALF)
    return Pairs(_places(one[:, None], other), rows, same)


def rows_of_pairs(
    ones: Sequence[Codes], others: Sequence[Codes]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Return what `pairs` finds for each of many, as rows one after the other, and their lengths.

    A row has the places of all pairs, then those of the same words.
    """
    found = [
        _rows_of_pairs(ones[n : n + _TOGETHER], others[n : n + _TOGETHER])
        for n in range(0, len(ones), _TOGETHER)
    ]
    return np.concatenate([row for row, _ in found]), np.concatenate([size for _, size in found])


def _rows_of_pairs(
    ones: Sequence[Codes], others: Sequence[Codes]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    heights, widths = (np.array([len(each) for each in side]) for side in (ones, others))
    wide = np.repeat(widths, heights)  # for each word of one, how many words the other has
    first = np.repeat(np.cumsum(widths) - widths, heights) - (np.cumsum(wide) - wide)
    words = np.repeat(np.concatenate(ones), wide)
    beside = np.concatenate(others)[np.arange(len(words)) + np.repeat(first, wide)]
    sizes = heights * widths
    ends = np.cumsum(sizes)
    alike = np.flatnonzero(words.astype(np.uint32) == beside.astype(np.uint32))
    owners = np.searchsorted(ends, alike, side="right")
    extra = np.bincount(owners, minlength=len(ones))
    rows = np.empty(len(words) + len(alike), np.int32)
    rows[np.arange(len(words)) + np.repeat(np.cumsum(extra) - extra, sizes)] = _places(
        words, beside
    )
    rows[ends[owners] + np.arange(len(alike))] = _places(
        words[alike] >> _HALF, beside[alike] >> _HALF
    )
    return rows, sizes + extra


def _places(one: Codes, other: Codes) -> Places:
    mixed = (one * _OTHER) ^ (other * _ODD)
    mixed ^= mixed >> _MIX
    mixed *= _OTHER
    mixed >>= _SHIFT
    return mixed.view(np.int64)  # they are small; signed ones are the faster to look up


@dataclass(frozen=True, slots=True)
class Targets:
    """The words of some descriptions, one after the other, where each begins, how many it has."""

    words: Codes
    starts: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.intp]

    @classmethod
    def of(cls, descriptions: Sequence[Codes]) -> Targets:
        """Join the words of descriptions, none of which is empty."""
        lengths = np.array([len(each) for each in descriptions], np.intp)
        words = np.concatenate(descriptions) if descriptions else np.zeros(0, np.uint64)
        return cls(words, np.cumsum(lengths) - lengths, lengths)


class Ranked(NamedTuple):
    """Scores of some descriptions, and what each has more than the best of the others."""

    scores: list[float]
    margins: list[float]

    @classmethod
    def of(cls, scores: Floats, first: int | None = None) -> Ranked:
        """Compare scores with those of the first descriptions, or with all."""
        rest = scores[:first]
        if not len(rest):
            return cls(scores.tolist(), [NOTHING] * len(scores))
        place = int(rest.argmax())
        best = float(rest[place])
        second = max(rest[:place].max(initial=WORST), rest[place + 1 :].max(initial=WORST))
        margins = scores - best
        margins[place] = best - second
        return cls(scores.tolist(), margins.tolist())


class PairScorer:
    """A logistic model over pairs of words.

    Args:
        rounds: How often it goes through its examples.
    """

    def __init__(self, rounds: int = 12) -> None:
        self.rounds = rounds
        self._weights: Floats = np.zeros(1 << BITS, np.float32)
        self._bias = 0.0
        self._size = 1.0

    def fit(self, examples: Sequence[tuple[Codes, Codes, bool]], seed: int) -> None:
        """Learn from (description, words said, whether they go together)."""
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import SGDClassifier

        if len({fits for _, _, fits in examples}) < 2:
            self._bias = -5.0
            return
        ones, others, fits = zip(*examples, strict=True)
        columns, lengths = rows_of_pairs(ones, others)
        sizes = np.sqrt([len(one) * len(other) for one, other, _ in examples])
        self._size = float(sizes.mean())
        values = np.repeat((self._size / sizes).astype(np.float32), lengths)
        table = csr_matrix(
            (values, columns, np.concatenate(([0], np.cumsum(lengths)))),
            shape=(len(lengths), 1 << BITS),
        )
        model = SGDClassifier(
            loss="log_loss",
            alpha=1e-6,
            max_iter=self.rounds,
            tol=None,
            learning_rate="invscaling",
            eta0=0.1,
            power_t=0.25,
            random_state=seed,
            average=False,
        )
        model.fit(table, np.array(fits))
        self._weights = model.coef_[0].astype(np.float32)
        self._bias = float(model.intercept_[0])

    def score(self, targets: Targets, said: Codes) -> Floats:
        """Return the log odds of each description, given what was said."""
        return self.sum(targets, pairs(targets.words, said))

    def sum(self, targets: Targets, places: Pairs) -> Floats:
        """Return the log odds of each description, given the places of its pairs."""
        if not len(targets.starts):
            return np.zeros(0, np.float32)
        # "wrap" spares a check: no place is outside
        sums = self._weights.take(places.every, mode="wrap").sum(axis=1)
        if len(places.rows):
            np.add.at(sums, places.rows, self._weights[places.same])
        sizes = np.sqrt(targets.lengths * places.every.shape[1]) / self._size
        found: Floats = np.add.reduceat(sums, targets.starts) / sizes + self._bias
        return found.astype(np.float32)
