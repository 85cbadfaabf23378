"""Logistic regressions that compare descriptions with utterances, by words and by vectors.

The first one has a weight for each pair of a word of a description and a word of an utterance, so
that descriptions that training does not have are scored by their words. The index of a pair's
weight is its hash (Weinberger et al. 2009); there is no vocabulary. A pair of equal words has a
further weight, which depends on their marks alone (`words.code`). The sum of weights is divided by
the square root of the number of pairs, so that log odds do not grow with the length of descriptions
and utterances. A description may also be compared with the context of a span, or a value: any list
of hash codes. The other one compares the vectors of texts, and so hears words that training lacks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.learn.trees import one_thread
from dialoom.learn.vectors import SIZE, Vectors
from dialoom.learn.words import Codes

BITS = 20
"""Bits of a pair's hash: there are 2 to the power of this many weights."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_OTHER = np.uint64(0xC2B2AE3D27D4EB4F)
_MIX = np.uint64(29)
"""Shift of the hash function; its two factors are above."""
_SHIFT = np.uint64(64 - BITS)
_HALF = np.uint64(32)

DRAWN = 40_000
"""Most examples that the weights of vectors are fitted on."""

INVERSE_PENALTY = 0.1 * SIZE
"""Inverse of the weight of their L2 penalty (scikit-learn's C)."""

_TOGETHER = 1000
"""Examples hashed at a time, so that their arrays stay in the processor's cache."""

Floats = npt.NDArray[np.float32]

Places = npt.NDArray[np.int64]

NOTHING = -50.0
"""The value of a feature that does not apply."""

WORST = -10.0
"""The least score that a best score is compared with, also without others."""


class CodedText(NamedTuple):
    """A description, or a text that descriptions are compared with.

    Attributes:
        codes: Hash codes of its words and features: shape (words,).
        vectors: Vectors of its parts: shape (parts, SIZE).
    """

    codes: Codes
    vectors: Vectors


class PairExample(NamedTuple):
    """A description, a text, and whether they match."""

    description: CodedText
    said: CodedText
    fits: bool


class Pairs(NamedTuple):
    """Indices of the weights of all pairs of a word of one list and a word of another.

    `every` has those of all pairs: shape (words of one, words of the other). `rows` and `same` have
    the first word and the further weight of each pair of equal words: shape (equal pairs,).
    """

    every: Places
    rows: npt.NDArray[np.intp]
    same: Places


def pairs(one: Codes, other: Codes) -> Pairs:
    """Return the indices of the weights of all pairs of words, given as hash codes (words,)."""
    alike = np.flatnonzero(one.astype(np.uint32)[:, None] == other.astype(np.uint32))
    rows, columns = divmod(alike, len(other)) if len(alike) else (alike, alike)
    # the further weight of equal words depends on their marks alone
    same = _places(one[rows] >> _HALF, other[columns] >> _HALF)
    return Pairs(_places(one[:, None], other), rows, same)


def rows_of_pairs(
    ones: Sequence[Codes], others: Sequence[Codes]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    """Return the indices of the weights of many examples, as the rows of a sparse matrix.

    The indices, row after row, and the length of each row: shape (examples,). A row has the indices
    of all pairs, then those of pairs of equal words. `ValueError` if there are no examples.
    """
    parts = [
        _rows_of_pairs(ones[n : n + _TOGETHER], others[n : n + _TOGETHER])
        for n in range(0, len(ones), _TOGETHER)
    ]
    return np.concatenate([row for row, _ in parts]), np.concatenate([size for _, size in parts])


def _rows_of_pairs(
    ones: Sequence[Codes], others: Sequence[Codes]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.intp]]:
    heights, widths = (np.array([len(each) for each in side]) for side in (ones, others))
    wide = np.repeat(widths, heights)  # for each word of one, how many words the other has
    first = np.repeat(np.cumsum(widths) - widths, heights) - (np.cumsum(wide) - wide)
    words = np.repeat(np.concatenate(ones), wide)
    opposite = np.concatenate(others)[np.arange(len(words)) + np.repeat(first, wide)]
    sizes = heights * widths
    ends = np.cumsum(sizes)
    alike = np.flatnonzero(words.astype(np.uint32) == opposite.astype(np.uint32))
    owners = np.searchsorted(ends, alike, side="right")
    extra = np.bincount(owners, minlength=len(ones))
    rows = np.empty(len(words) + len(alike), np.int32)
    rows[np.arange(len(words)) + np.repeat(np.cumsum(extra) - extra, sizes)] = _places(
        words, opposite
    )
    rows[ends[owners] + np.arange(len(alike))] = _places(
        words[alike] >> _HALF, opposite[alike] >> _HALF
    )
    return rows, sizes + extra


def _places(one: Codes, other: Codes) -> Places:
    mixed = (one * _OTHER) ^ (other * _ODD)
    mixed ^= mixed >> _MIX
    mixed *= _OTHER
    mixed >>= _SHIFT
    return mixed.view(np.int64)  # indices are small, and signed ones are looked up faster


@dataclass(frozen=True, slots=True)
class Targets:
    """Descriptions to be scored, as one array of their words.

    `words` are hash codes, one description after the other: shape (words,). `starts` and `lengths`
    have the first word and the number of words of each: shape (descriptions,). `vectors` are those
    of their parts: shape (descriptions, parts * SIZE).
    """

    words: Codes
    starts: npt.NDArray[np.intp]
    lengths: npt.NDArray[np.intp]
    vectors: Vectors

    @classmethod
    def of(cls, descriptions: Sequence[CodedText]) -> Targets:
        """Join the words of descriptions, none of which may be empty."""
        lengths = np.array([len(each.codes) for each in descriptions], np.intp)
        words = [each.codes for each in descriptions] or [np.zeros(0, np.uint64)]
        vectors = np.array([each.vectors.ravel() for each in descriptions], np.float32)
        return cls(np.concatenate(words), np.cumsum(lengths) - lengths, lengths, vectors)


class Ranked(NamedTuple):
    """Scores of descriptions with their margins over the best score of the other descriptions."""

    scores: list[float]
    margins: list[float]

    @classmethod
    def of(cls, scores: Floats, first: int | None = None) -> Ranked:
        """Return scores (descriptions,) with margins over the `first` ones (None: over all).

        With none to compare with, margins are `NOTHING`.
        """
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
    """A logistic regression over pairs of words, fitted by stochastic gradient descent."""

    def __init__(self, rounds: int = 12) -> None:
        self.rounds = rounds
        self._weights: Floats = np.zeros(1 << BITS, np.float32)
        self._bias = 0.0
        self._size = 1.0

    def fit(self, examples: Sequence[PairExample], seed: int) -> None:
        """Fit on examples; without examples of both labels, all log odds become -5.

        Sums of weights are scaled so that the mean example is divided by 1. An example has the hash
        codes of a description, those of an utterance, a span or a value, and whether the two match.
        The seed shuffles examples.
        """
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import SGDClassifier

        if len({fits for _, _, fits in examples}) < 2:
            self._bias = -5.0
            return
        ones, others, fits = zip(*examples, strict=True)
        columns, lengths = rows_of_pairs(
            [one.codes for one in ones], [other.codes for other in others]
        )
        sizes = np.sqrt([len(one.codes) * len(other.codes) for one, other, _ in examples])
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

    def score(self, targets: Targets, text: CodedText) -> Floats:
        """Return the log odds that each description matches a text: shape (descriptions,)."""
        return self.sum(targets, pairs(targets.words, text.codes))

    def sum(self, targets: Targets, places: Pairs) -> Floats:
        """Return the same by the weights of the pairs of their words, as `pairs` returns them."""
        if not len(targets.starts):
            return np.zeros(0, np.float32)
        # "wrap" skips the check of bounds: no index is out of range
        sums = self._weights.take(places.every, mode="wrap").sum(axis=1)
        if len(places.rows):
            np.add.at(sums, places.rows, self._weights[places.same])
        sizes = np.sqrt(targets.lengths * places.every.shape[1]) / self._size
        scores: Floats = np.add.reduceat(sums, targets.starts) / sizes + self._bias
        return scores.astype(np.float32)


class VectorScorer:
    """A logistic regression over products of the vectors of descriptions and of texts.

    Each dimension of a part of the description and of a part of the text has a weight, by which the
    product of the two vectors there counts. Words that training lacks are judged by their meaning.
    """

    def __init__(self) -> None:
        self._weights: Floats | None = None
        self._bias = -5.0

    def fit(self, examples: Sequence[PairExample], seed: int) -> None:
        """Fit on at most `DRAWN` examples, drawn with the seed.

        Without examples of both labels, all log odds become -5.
        """
        from sklearn.linear_model import LogisticRegression

        subset = Random(seed).sample(examples, min(DRAWN, len(examples)))
        fits = [fits for _, _, fits in subset]
        if len(set(fits)) < 2:
            return
        ones = np.stack([one.vectors for one, _, _ in subset])
        others = np.stack([other.vectors for _, other, _ in subset])
        table = (ones[:, :, None] * others[:, None]).reshape(len(subset), -1)
        model = LogisticRegression(C=INVERSE_PENALTY, max_iter=300)
        with one_thread():
            model.fit(table, fits)
        shape = ones.shape[1], others.shape[1], SIZE
        self._weights = model.coef_[0].astype(np.float32).reshape(shape)
        self._bias = float(model.intercept_[0])

    def score(self, targets: Targets, text: CodedText) -> Floats:
        """Return the log odds that each description matches a text: shape (descriptions,)."""
        if self._weights is None or not len(targets.starts):
            return np.full(len(targets.starts), self._bias, np.float32)
        odds: Floats = targets.vectors @ (self._weights * text.vectors).sum(axis=1).ravel()
        return odds + np.float32(self._bias)


def with_margins(scores: Sequence[Floats], first: int | None = None) -> list[tuple[float, ...]]:
    """Return the score of each description by each scorer, each with its margin (`Ranked.of`)."""
    return list(zip(*(part for each in scores for part in Ranked.of(each, first)), strict=True))


def two_best(scores: Sequence[float]) -> tuple[float, float]:
    """Return the best score and the second best; `NOTHING` if missing."""
    ranking = sorted((s for s in scores if s > NOTHING), reverse=True)
    return (ranking[0] if ranking else NOTHING, ranking[1] if len(ranking) > 1 else NOTHING)


def best_other(best: tuple[float, float], score: float) -> float:
    """Return the best score of the other candidates, given the two best of all."""
    return best[1] if score == best[0] else best[0]
