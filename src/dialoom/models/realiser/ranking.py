"""A learnt choice among the likeliest wordings of some acts.

What a wording is worth is the part that it adds to the logarithm of corpus BLEU, made linear
(Tromble et al. 2008): known where the reference is. Trees learn it from training's own utterances,
each with the wordings of all other dialogues as candidates, a part of them with none of its own
service's; what they read are expectations by several sharpnesses of style, how often and in how
similar dialogues a wording was said, its length, and what it shares with the dialogue so far.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import SYSTEM, USER, Event, Utterance
from dialoom.models.realiser.ngrams import ORDER, tokens
from dialoom.models.realiser.store import CandidatePool
from dialoom.models.realiser.wording import ContentItem, Wording, numbered

PRECISIONS = np.array((0.55, 0.36, 0.26, 0.19))
"""The precisions of n-grams around which the logarithm of BLEU is made linear."""

SHARPNESSES = (0.0, 0.5, 1.0, 2.0)
"""Times the sharpness of style, by each of which the worth of wordings is expected."""

USUAL = 2

MOST = 30
"""Wordings that are ranked at most: the best by what is expected."""

TREES: dict[str, Any] = {
    "max_iter": 150,
    "learning_rate": 0.08,
    "max_leaf_nodes": 15,
    "min_samples_leaf": 100,
    "l2_regularization": 5.0,
    "early_stopping": False,
}

Floats = npt.NDArray[np.float64]


class LikelyWordings(NamedTuple):
    """The likeliest wordings, best first by what is expected.

    Attributes:
        places: Their places in the pool.
        rows: What trees read of each: shape (candidates, features).
    """

    places: npt.NDArray[np.intp]
    rows: Floats


def expected(
    pool: CandidatePool, near: Floats | None, style: float, length: float, own: int = -1
) -> tuple[Floats, Floats, Floats]:
    """Return what wordings are expected to be worth, and their shares, by each sharpness.

    Args:
        pool: The wordings.
        near: How alike this dialogue is to each of training; None where that is nothing.
        style: How much that weighs.
        length: How much a token more is worth.
        own: The number of the dialogue itself where it is one of training, which then tells
            nothing.

    Returns:
        Worths and shares, each of shape (wordings, sharpnesses), and the expected number of each
        n-gram by the usual sharpness.
    """
    kept = pool.weights * (pool.dialogues != own)
    alike = np.zeros(len(kept)) if near is None else near[pool.dialogues].astype(np.float64)
    alike = alike - alike[kept > 0].max(initial=-1.0)
    shares = np.empty((len(pool.wordings), len(SHARPNESSES)))
    for n, sharp in enumerate(SHARPNESSES):
        weights = kept * np.exp(style * sharp * np.minimum(alike, 0.0))
        shares[:, n] = np.bincount(pool.said, weights, len(pool.wordings)) / weights.sum()
    grams = pool.ngrams.T @ shares
    precisions = PRECISIONS[pool.orders][:, None]
    worths = pool.ngrams @ ((grams - precisions) / (ORDER * precisions))
    return worths + length * pool.lengths[:, None], shares, grams[:, USUAL]


def candidates(
    pool: CandidatePool,
    near: Floats | None,
    history: Sequence[Event],
    items: Sequence[ContentItem],
    found: tuple[Floats, Floats, Floats],
    own: int = -1,
) -> LikelyWordings:
    """Return the likeliest wordings with what trees read of them.

    Args:
        pool: The wordings.
        near: How alike this dialogue is to each of training.
        history: What was said before.
        items: What is to be said.
        found: What `expected` returned.
        own: As `expected` takes it.
    """
    worths, shares, grams = found
    possible = np.flatnonzero(shares[:, 0] > 0)
    order = np.argsort(-worths[possible, USUAL], kind="stable")[:MOST]
    top = possible[order]
    about = _of_pool(pool, shares, items)
    alike = _likest(pool, near, top, own)
    usual = worths[top, USUAL]
    lengths = pool.lengths[top]
    mean = float(pool.lengths @ shares[:, USUAL])
    orders = pool.orders[:, None] == np.arange(ORDER)
    by_order = pool.ngrams[top] @ np.where(orders, grams[:, None] - PRECISIONS, 0.0)
    said = _Said(history, items)
    own_rows = np.array([said.row(pool.wordings[place]) for place in top])
    rows = np.column_stack(
        (
            worths[top] - worths[top].max(axis=0),
            worths[top, USUAL],
            np.arange(len(top)),
            usual - usual.mean(),
            np.log(shares[top] + 1e-6),
            alike,
            lengths,
            lengths - mean,
            by_order,
            own_rows,
            np.tile(about, (len(top), 1)),
        )
    )
    return LikelyWordings(top, rows)


def worth(pool: CandidatePool, places: Any, reference: Sequence[int], length: float) -> Floats:
    """Return what wordings are worth where the reference is known.

    Args:
        pool: The wordings.
        places: Which of them.
        reference: The n-grams of the reference.
        length: How much a token more is worth.
    """
    marks = np.isin(pool.columns, np.asarray(reference))
    precisions = PRECISIONS[pool.orders]
    found = pool.ngrams[places] @ ((marks - precisions) / (ORDER * precisions))
    return np.asarray(found + length * pool.lengths[places])


class WordingRanker:
    """Trees that tell what a candidate is worth."""

    def __init__(self) -> None:
        self._trees: Any = None

    def fit(self, rows: Sequence[Floats], worths: Sequence[Floats], seed: int) -> None:
        """Learn from candidates with what they were worth, each question's beside one another."""
        from sklearn.ensemble import HistGradientBoostingRegressor
        from threadpoolctl import threadpool_limits

        if not rows:
            return
        targets = np.concatenate([each - each.mean() for each in worths])
        trees = HistGradientBoostingRegressor(**TREES, random_state=seed)
        with threadpool_limits(limits=1):
            self._trees = trees.fit(np.concatenate(rows), targets)

    def best(self, found: Sequence[LikelyWordings]) -> list[int]:
        """Return the place of the best of each question's candidates."""
        from threadpoolctl import threadpool_limits

        if self._trees is None or not found:
            return [int(each.places[0]) for each in found]
        with threadpool_limits(limits=1):
            told = self._trees.predict(np.concatenate([each.rows for each in found]))
        ends = np.cumsum([len(each.places) for each in found])[:-1]
        return [
            int(each.places[part.argmax()])
            for each, part in zip(found, np.split(told, ends), strict=True)
        ]


def _of_pool(pool: CandidatePool, shares: Floats, items: Sequence[ContentItem]) -> Floats:
    usual = shares[:, USUAL]
    sure = -float(np.sum(usual * np.log(usual + 1e-12)))
    values = sum(len(item.values) for item in items)
    return np.array(
        (pool.fit, len(pool.wordings), len(pool.said), sure, usual.max(), len(items), values)
    )


def _likest(
    pool: CandidatePool, near: Floats | None, top: npt.NDArray[np.intp], own: int
) -> Floats:
    """Return for each wording how often it was said, and the likeness of the likest dialogues."""
    place = np.full(len(pool.wordings), -1)
    place[top] = np.arange(len(top))
    kept = np.flatnonzero((place[pool.said] >= 0) & (pool.dialogues != own))
    which = place[pool.said[kept]]
    alike = np.zeros(len(kept)) if near is None else near[pool.dialogues[kept]]
    best, weight = np.full(len(top), -1.0), np.zeros(len(top))
    np.maximum.at(best, which, alike)
    np.maximum.at(weight, which, pool.weights[kept])
    times = np.log1p(np.bincount(which, minlength=len(top)))
    return np.column_stack((times, best, best - best.max(initial=-1.0), np.log(weight + 1e-9)))


class _Said:
    """What was said before, to compare wordings with."""

    def __init__(self, history: Sequence[Event], items: Sequence[ContentItem]) -> None:
        said: dict[str, list[_Words]] = {USER: [], SYSTEM: []}
        for event in history:
            if isinstance(event, Utterance) and event.agent in said:
                said[event.agent].append(_words((event.text,)))
        self._user = said[USER][-1].lower if said[USER] else frozenset()
        self._pairs = {pair for each in said[SYSTEM] for pair in each.pairs}
        self._words = {word for each in said[SYSTEM] for word in each.plain}
        self._first = {each.all[0] for each in said[SYSTEM] if each.all}
        self._turns = len(said[SYSTEM])
        self._order = list(numbered(items))

    def row(self, wording: Wording) -> list[float]:
        """Return what a wording shares with it, and in which order it says what is to be said."""
        words = _words(wording)
        places = [words.all.index(place) for place in self._order if place in words.all]
        return [
            sum(pair in self._pairs for pair in words.pairs) / (len(words.pairs) + 1),
            sum(word in self._words for word in words.plain) / (len(words.plain) + 1),
            len(words.lower & self._user) / (len(words.plain) + 1),
            float(bool(words.all) and words.all[0] in self._first),
            float(self._turns),
            float(places == sorted(places)),
            float(words.plain.count("?")),
            float(words.plain.count(".") + words.plain.count("!")),
        ]


class _Words(NamedTuple):
    """The words of a wording: with placeholders, without, in pairs, each once in lower case."""

    all: tuple[Any, ...]
    plain: tuple[str, ...]
    pairs: tuple[tuple[Any, Any], ...]
    lower: frozenset[str]


@lru_cache(maxsize=1 << 15)
def _words(wording: Wording) -> _Words:
    words = tuple(tokens(wording))
    plain = tuple(word for word in words if isinstance(word, str))
    pairs = (pair for pair in pairwise(words) if all(isinstance(each, str) for each in pair))
    return _Words(words, plain, tuple(pairs), frozenset(word.lower() for word in plain))
