"""Recognises a service of training in other words, by its contract.

Two services match if their intents and slots can be paired so that types, listed values and the
roles of slots in intents agree, whatever their names. Among slots that are alike otherwise, the
words of descriptions decide, and their scores at users' values of the known service. Names of
services and the order of slots are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from random import Random

import numpy as np
import numpy.typing as npt

from dialoom.learn.words import unmarked
from dialoom.models.tracker.pairs import CodedText
from dialoom.models.tracker.scorers import ScorerExample, Scorers
from dialoom.models.tracker.service import KnownWords, ServiceView, SlotView
from dialoom.schema.service import ServiceIntent

LEAST = 0.9
"""Least mean agreement of slots, 0 to 1, for two services to match."""

_WORDS = 0.5
"""Weight of the similarity of words; the agreement in types, values and roles has 1."""

_SPANS = "user_span"
"""The scorer of spans in users' utterances."""

_CONTEXTS = 40
"""Most contexts of a service."""

_CLEAR = 0.02
"""A pairing is clear if a swap of two lowers the sum of their pairs by more than this."""


Table = npt.NDArray[np.float64]


def span_contexts(examples: Iterable[ScorerExample], draw: Random) -> dict[str, list[CodedText]]:
    """Return service to a sample of the contexts in which users say values of its slots."""
    contexts: dict[str, list[CodedText]] = {}
    for each in examples:
        _, context, fits = each.example
        if each.score == _SPANS and fits:
            contexts.setdefault(each.services[0], []).append(context)
    return {name: draw.sample(pool, min(len(pool), _CONTEXTS)) for name, pool in contexts.items()}


class KnownServices:
    """The services of training, to find the one that a service agrees with.

    `contexts` map services to hashed features of spans of their values in users' utterances, with
    their contexts: shape (features,) each.
    """

    def __init__(
        self,
        views: Mapping[str, ServiceView],
        scorers: Scorers,
        contexts: Mapping[str, Sequence[CodedText]],
    ) -> None:
        self._views, self._scorers, self._contexts = views, scorers, contexts

    def match(self, view: ServiceView) -> KnownWords | None:
        """Return slots and intents of the best match with sufficient agreement, or None."""
        matches = (self._matched(view, each) for _, each in sorted(self._views.items()))
        best = max(filter(None, matches), key=lambda each: each[0], default=None)
        return best[1] if best else None

    def _matched(self, view: ServiceView, other: ServiceView) -> tuple[float, KnownWords] | None:
        """Return agreement and similarity, added up, and the words; None for no match."""
        sizes = [(len(each.service.intents), len(each.slots)) for each in (view, other)]
        if sizes[0] != sizes[1] or not view.slots:
            return None
        intents = _paired_intents(view, other)
        agreed = _slot_agreement(view, other, intents)
        similar = self._slot_similarity(view, other)
        table = agreed + _WORDS * similar
        slots = _pairs(table)
        clear = {
            view.slots[n].name: other.slots[m]
            for n, m in slots.items()
            if view.slots[n].listed == other.slots[m].listed
            if similar[n, m] > 0 and _is_clear(table, slots, n, m)
        }
        words = {one.name: other.intent_wordings[two.name] for one, two in intents}
        paired = list(slots), list(slots.values())
        agreement = float(agreed[paired].mean())
        score = agreement + float(similar[paired].mean())
        return (score, KnownWords(clear, words)) if agreement >= LEAST else None

    def _slot_similarity(self, view: ServiceView, other: ServiceView) -> Table:
        """Return how similar slots are by their words; of free values, by scores of spans too.

        Users say listed values in many ways, which are not found as spans.
        """
        own = [each.wordings[:1] for each in view.slots]
        table = _word_similarity(own, [each.wordings for each in other.slots])
        free, other_free = ([not each.listed for each in side.slots] for side in (view, other))
        table += np.maximum(self._span_correlation(view, other), 0) * np.outer(free, other_free)
        return table

    def _span_correlation(self, view: ServiceView, other: ServiceView) -> Table:
        """Return the correlation of the scores of slots over the contexts of a known service.

        The mean over the slots of each context is subtracted before.
        """
        contexts = self._contexts.get(other.name, ())
        if len(contexts) < 2:
            return np.zeros((len(view.slots), len(other.slots)))
        sides = []
        for side in (view, other):
            scores = [self._scorers.score(_SPANS, side.slot_targets, each) for each in contexts]
            table = np.array(scores, np.float64)
            table -= table.mean(axis=1, keepdims=True)
            table -= table.mean(axis=0)
            sides.append(table / np.maximum(np.linalg.norm(table, axis=0), 1e-9))
        product: Table = sides[0].T @ sides[1]
        return product


def _intent_words(view: ServiceView, most: int | None = None) -> list[list[frozenset[int]]]:
    """Return the words of each intent and of its rewordings, `most` of these in all."""
    wordings = [[own, *others][:most] for own, others in view.intent_wordings.values()]
    return [[unmarked(words.codes) for words in each] for each in wordings]


def _paired_intents(
    view: ServiceView, other: ServiceView
) -> list[tuple[ServiceIntent, ServiceIntent]]:
    """Return the pairs of intents that agree most, words deciding among equals."""
    ours, theirs = view.service.intents, other.service.intents
    agreed = np.array([[_intent_agreement(one, two) for two in theirs] for one in ours])
    similar = _word_similarity(_intent_words(view, 1), _intent_words(other))
    return [(ours[n], theirs[m]) for n, m in _pairs(agreed + _WORDS * similar).items()]


def _slot_agreement(
    view: ServiceView, other: ServiceView, intents: Sequence[tuple[ServiceIntent, ServiceIntent]]
) -> Table:
    """Return how far (0 to 1) slots agree in type or listed values, and in roles in intents."""

    def agreement(one: SlotView, two: SlotView) -> float:
        roles = [float(_role(one.name, a) == _role(two.name, b)) for a, b in intents]
        same = one.values == two.values and (one.listed or one.kind == two.kind)
        return (same + float(np.mean(roles or [1.0]))) / 2

    return np.array([[agreement(one, two) for two in other.slots] for one in view.slots])


def _role(slot: str, intent: ServiceIntent) -> tuple[bool, bool, bool]:
    return slot in intent.required, slot in intent.optional, slot in intent.results


def _intent_agreement(one: ServiceIntent, two: ServiceIntent) -> float:
    return float(
        np.mean(
            [
                one.transactional == two.transactional,
                len(one.required) == len(two.required),
                len(one.optional) == len(two.optional),
                len(one.results) == len(two.results),
            ]
        )
    )


def _pairs(table: Table) -> dict[int, int]:
    """Return the pairing of rows and columns with the greatest sum: row to column."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(-table) if table.size else ((), ())
    return dict(zip(map(int, rows), map(int, columns), strict=True))


def _is_clear(table: Table, paired: Mapping[int, int], row: int, column: int) -> bool:
    """True if the sum of a pairing falls if a pair swaps its columns with any other."""
    return all(
        table[row, column] + table[n, m] > table[row, m] + table[n, column] + _CLEAR
        for n, m in paired.items()
        if n != row
    )


def _word_similarity(
    ours: Sequence[Sequence[frozenset[int]]], theirs: Sequence[Sequence[frozenset[int]]]
) -> Table:
    """Return how similar (0 to 1) descriptions are, by their most similar wordings.

    Wordings, as sets of hash codes, are compared by the cosine, each word weighted by the inverse
    of how many descriptions of its service have it.
    """
    count = Counter(
        word for side in (ours, theirs) for each in side for word in set(chain.from_iterable(each))
    )

    def size(words: frozenset[int]) -> float:
        return sum(1 / count[word] for word in words)

    def similar(one: frozenset[int], other: frozenset[int]) -> float:
        return size(one & other) / float(np.sqrt(size(one) * size(other)) or 1.0)

    return np.array(
        [[max(similar(one, other) for one in a for other in b) for b in theirs] for a in ours]
    )
