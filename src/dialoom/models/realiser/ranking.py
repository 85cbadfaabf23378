"""Expected BLEU gains of candidate wordings, and a learnt choice among the best of them.

The gain of a wording is its contribution to the logarithm of corpus BLEU in linear form (Tromble et
al. 2008): for each of its n-grams of length k, (matches - p[k]) / (4 p[k]), where p[k] is the
corpus precision, and a constant for each token in place of the brevity penalty. It is computed if
the reference is known, and otherwise estimated with each training wording as the reference, by its
probability. Regression trees learn the gain from training utterances, with the wordings of all
other dialogues as candidates. Their features are expected gains at several sharpnesses of style,
how often and in how similar dialogues a wording was said, its length, and the words that it shares
with the dialogue so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import SYSTEM, USER, Event, Utterance
from dialoom.learn.trees import Floats, TreeRegression, Trees
from dialoom.models.realiser.store import CandidatePool, spellings
from dialoom.models.realiser.wording import ORDER, ContentItem, Wording, numbered, tokens

PRECISIONS = np.array((0.55, 0.36, 0.26, 0.19))
"""Precisions of n-grams of length 1 to 4 around which the logarithm of BLEU is linearised."""

SHARPNESSES = (0.0, 0.5, 1.0, 2.0)
"""Factors of the weight of style; gains are estimated with each of them."""

UNSCALED = 2
"""The index of the factor 1 in `SHARPNESSES`: candidates are ordered by its gains."""

OTHER_SPELLING = 0.5
"""Factor of an utterance's weight for each value of another class than the one to be named."""

MOST = 30
"""Most wordings that are ranked: those with the largest expected gains."""

TREES = Trees(rounds=600, rate=0.06, leaves=31, least=100)
"""Settings of the trees."""


class LikelyWordings(NamedTuple):
    """The wordings with the largest expected gains, in descending order.

    `places` are indices in the pool, `rows` features of shape (candidates, features), `longer` the
    gains of their length.
    """

    places: npt.NDArray[np.intp]
    rows: Floats
    longer: Floats


def expected_gains(
    pool: CandidatePool,
    near: Floats | None,
    items: Sequence[ContentItem],
    style: float,
    length: float,
    own: int = -1,
) -> tuple[Floats, Floats, Floats]:
    """Return gains, probabilities (wordings, sharpnesses) and n-gram counts (n-grams,).

    A training utterance weighs exp(style * sharpness * similarity of its dialogue), times
    `OTHER_SPELLING` to the power of sharpness for each value of another class; the probability of a
    wording is the share of its utterances in the weight of all. `near` is the similarity (0 to 1)
    to each dialogue of training, or None; `items` are the content to be named, `style` the weight
    of similarity, `length` the gain of each further token. `own` is the number of this dialogue in
    training, to leave out, or -1. Counts are at sharpness 1.
    """
    masses = pool.weights * (pool.dialogues != own)
    alike = np.zeros(len(masses)) if near is None else near[pool.dialogues].astype(np.float64)
    alike = alike - alike[masses > 0].max(initial=-1.0)
    ordered = sorted(items, key=lambda item: item.key)
    others = (pool.spellings != np.array(spellings(ordered), dtype=int)).sum(axis=1)
    shares = np.empty((len(pool.wordings), len(SHARPNESSES)))
    for n, sharp in enumerate(SHARPNESSES):
        weights = masses * np.exp(style * sharp * np.minimum(alike, 0.0))
        weights *= OTHER_SPELLING ** (sharp * others)
        shares[:, n] = np.bincount(pool.said, weights, len(pool.wordings)) / weights.sum()
    grams = pool.ngrams.T @ shares
    precisions = PRECISIONS[pool.orders][:, None]
    gains = pool.ngrams @ ((grams - precisions) / (ORDER * precisions))
    return gains + length * pool.lengths[:, None], shares, grams[:, UNSCALED]


def candidates(
    pool: CandidatePool,
    near: Floats | None,
    history: Sequence[Event],
    items: Sequence[ContentItem],
    style: float,
    length: float,
    own: int = -1,
) -> LikelyWordings:
    """Return the wordings with the largest expected gains; arguments as of `expected_gains`."""
    gains, shares, grams = expected_gains(pool, near, items, style, length, own)
    possible = np.flatnonzero(shares[:, 0] > 0)
    order = np.argsort(-gains[possible, UNSCALED], kind="stable")[:MOST]
    top = possible[order]
    likely = shares[:, UNSCALED]
    entropy = -float(np.sum(likely * np.log(likely + 1e-12)))  # nats
    about = (pool.fit, len(pool.wordings), len(pool.said), entropy, likely.max())
    usage = _usage(pool, near, top, own)
    usual = gains[top, UNSCALED]
    lengths = pool.lengths[top]
    mean = float(pool.lengths @ likely)
    orders = pool.orders[:, None] == np.arange(ORDER)
    by_order = pool.ngrams[top] @ np.where(orders, grams[:, None] - PRECISIONS, 0.0)
    rows = np.column_stack(
        (
            gains[top] - gains[top].max(axis=0),
            gains[top, UNSCALED],
            np.arange(len(top)),
            usual - usual.mean(),
            np.log(shares[top] + 1e-6),
            usage,
            lengths,
            lengths - mean,
            by_order,
            _shared(history, items, [pool.wordings[place] for place in top]),
            np.tile(about, (len(top), 1)),
        )
    )
    return LikelyWordings(top, rows, length * lengths)


def bleu_gain(pool: CandidatePool, places: Any, reference: Sequence[int]) -> Floats:
    """Return the BLEU gain of wordings with a known reference, their length aside: shape (places,).

    `reference` has the columns of its n-grams.
    """
    marks = np.isin(pool.columns, np.asarray(reference))
    precisions = PRECISIONS[pool.orders]
    return np.asarray(pool.ngrams[places] @ ((marks - precisions) / (ORDER * precisions)))


class WordingRanker:
    """Regression trees that predict the BLEU gain of candidates from their features."""

    def __init__(self) -> None:
        self._trees: TreeRegression | None = None

    def fit(self, rows: Sequence[Floats], gains: Sequence[Floats], seed: int) -> None:
        """Learn the difference of each candidate's gain from the mean of its question.

        `rows` have the shape (candidates, features) for each question, `gains` (candidates,).
        """
        if rows:
            targets = np.concatenate([each - each.mean() for each in gains])
            self._trees = TREES.regress(np.concatenate(rows), targets, seed)

    def best(self, pools: Sequence[LikelyWordings]) -> list[int]:
        """Return the index in its pool of each question's best candidate.

        Without fitted trees, it is the one with the largest expected gain.
        """
        if self._trees is None or not pools:
            return [int(each.places[0]) for each in pools]
        predicted = self._trees.predict(np.concatenate([each.rows for each in pools]))
        ends = np.cumsum([len(each.places) for each in pools])[:-1]
        return [
            int(each.places[(part + each.longer).argmax()])
            for each, part in zip(pools, np.split(predicted, ends), strict=True)
        ]


def _usage(pool: CandidatePool, near: Floats | None, top: npt.NDArray[np.intp], own: int) -> Floats:
    """Return how training uses each candidate: shape (candidates, 3).

    The columns are the greatest similarity of the dialogues with it, how far that is below the best
    candidate's, and the logarithm of the greatest weight of an utterance with it.
    """
    place = np.full(len(pool.wordings), -1)
    place[top] = np.arange(len(top))
    uses = np.flatnonzero((place[pool.said] >= 0) & (pool.dialogues != own))
    which = place[pool.said[uses]]
    alike = np.zeros(len(uses)) if near is None else near[pool.dialogues[uses]]
    best, weight = np.full(len(top), -1.0), np.zeros(len(top))
    np.maximum.at(best, which, alike)
    np.maximum.at(weight, which, pool.weights[uses])
    return np.column_stack((best, best - best.max(initial=-1.0), np.log(weight + 1e-9)))


def _shared(
    history: Sequence[Event], items: Sequence[ContentItem], wordings: Sequence[Wording]
) -> Floats:
    """Return the features of wordings in the dialogue so far: shape (wordings, 4).

    They are the shares of word pairs and of words that the system used before, that of words of the
    user's last utterance, and whether values are in the order of the acts.
    """
    events = [event for event in history if isinstance(event, Utterance)]
    system = [_words((event.text,)) for event in events if event.agent == SYSTEM]
    answers = [_words((event.text,)) for event in events if event.agent == USER]
    user = {word.lower() for word in answers[-1].plain} if answers else set()
    pairs = {pair for each in system for pair in each.pairs}
    vocabulary = {word for each in system for word in each.plain}
    order = list(numbered(items))
    rows = []
    for words in map(_words, wordings):
        places = [words.all.index(place) for place in order if place in words.all]
        rows.append(
            (
                sum(pair in pairs for pair in words.pairs) / (len(words.pairs) + 1),
                sum(word in vocabulary for word in words.plain) / (len(words.plain) + 1),
                len(user & {word.lower() for word in words.plain}) / (len(words.plain) + 1),
                float(places == sorted(places)),
            )
        )
    return np.array(rows)


class _Words(NamedTuple):
    all: tuple[Any, ...]
    plain: tuple[str, ...]
    pairs: tuple[tuple[Any, Any], ...]


@lru_cache(maxsize=1 << 15)
def _words(wording: Wording) -> _Words:
    words = tuple(tokens(wording))
    plain = tuple(word for word in words if isinstance(word, str))
    pairs = (pair for pair in pairwise(words) if all(isinstance(each, str) for each in pair))
    return _Words(words, plain, tuple(pairs))
