"""The wordings of training by service and signature, and their adaptation to new acts.

Acts that training lacks for a service take the wordings of the most similar acts: slots are
paired by the similarity of their schemas, then placeholders and nouns of slot names are exchanged.

The weights below were set by hand. Each was halved and doubled on 700 utterances of SGD's training
part, of five domains (Banks, Hotels, Media, Movies, RideSharing), in wordings learnt from 750
dialogues of the other domains, without the ranker. BLEU is 18.7 with the values below, and in
brackets with the others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from dialoom.learn.model import spread
from dialoom.models.realiser.similarity import SchemaSimilarity, words
from dialoom.models.realiser.wording import (
    ContentItem,
    NgramSpace,
    Placeholder,
    Signature,
    Wording,
    numbered,
    signature,
    spelling,
    tokens,
)

OTHER_SERVICE = 0.03
"""Factor of the weight of utterances of another service: small, so that the service's own
utterances decide if training has some; else it changes nothing (18.7 to 18.7)."""

UNRELATED = 0.2
"""Added to the similarity of services, so that one with no word in common keeps some weight (18.7
to 18.8)."""

PAIR_POWER = 3.0
"""Exponent of the product of the similarities of paired slots: groups that pair poorly weigh little
even with many utterances (18.5 to 19.1)."""

FOREIGN_WORD = 0.4
"""Factor of an utterance's weight for each of its words that only its own service's schema has:
such a word is likely to be wrong for another service (18.5 to 19.0)."""

RENAMED_INTENT, LEAST_INTENT = 0.9, 0.1
"""Greatest and least similarity of intents with different names: below that of the same intent, and
above 0, for its logarithm is taken (both 18.7 to 18.7)."""

IMPOSSIBLE = 1e-9
"""Similarity of items of different shapes: above 0, for its logarithm is taken."""

MOST_GROUPS, MOST_UTTERANCES = 12, 5000
"""Most groups of utterances in a pool, and most utterances of each, so that a question takes little
time and memory."""

LEAST_WEIGHT = 1e-3
"""Least weight of a group in a pool, relative to the best; others hardly count."""


class UtteranceGroup(NamedTuple):
    """Utterances of one service and signature.

    `items` are their content, in the order of keys; `examples` their numbers in the store;
    `spellings` the classes of their values, in the order of items.
    """

    items: list[ContentItem]
    examples: list[int]
    spellings: list[list[int]]


class SourceGroup(NamedTuple):
    """A group whose wordings can be adapted to given acts.

    `weight` is its fit, 0 to 1; `items` are the acts' content in the order of keys, and `places`
    the positions of the group's items that they replace.
    """

    weight: float
    service: str
    group: UtteranceGroup
    items: list[ContentItem]
    places: list[int]

    @property
    def pairs(self) -> list[tuple[ContentItem, ContentItem]]:
        """Each content item with the group's item that it replaces."""
        others = (self.group.items[place] for place in self.places)
        return list(zip(self.items, others, strict=True))

    def values(self) -> list[int]:
        """Return the position of the group's value for each value of the content items."""
        starts = [0, *accumulate(len(other.values) for other in self.group.items)]
        return [number for place in self.places for number in range(*starts[place : place + 2])]


class CandidatePool(NamedTuple):
    """Candidate wordings for given acts, and the training utterances that they come from.

    `ngrams` is a CSR matrix of shape (wordings, n-grams); `orders` are lengths minus one and
    `columns` the store's columns: shape (n-grams,). `lengths` counts tokens: shape (wordings,).
    `said`, `dialogues` and `weights` have wording, dialogue and weight of each utterance: shape
    (utterances,). `spellings` are the classes of the values that it named in the places of those
    to be named: shape (utterances, values). `fit` is the fit of the best group, 0 to 1.
    """

    wordings: list[Wording]
    ngrams: Any
    orders: Any
    columns: Any
    lengths: Any
    said: Any
    dialogues: Any
    weights: Any
    spellings: Any
    fit: float


class WordingStore:
    """The utterances of training as wordings, by service and signature."""

    def __init__(self) -> None:
        self._space = NgramSpace()
        self._numbers: dict[Wording, int] = {}
        self._wordings: list[Wording] = []
        self._rows: list[list[int]] = []
        self._lengths: list[int] = []
        self._said: list[int] = []
        self._dialogues: list[int] = []
        self._groups: dict[tuple[str, Signature], UtteranceGroup] = {}
        self._shapes: dict[Signature, list[tuple[str, UtteranceGroup]]] = {}

    def add(self, items: Sequence[ContentItem], wording: Wording, dialogue: int) -> None:
        """Add an utterance by content, text with placeholders, and number of its dialogue."""
        ordered = sorted(items, key=lambda item: item.key)
        service, number = ordered[0].service, len(self._said)
        key = service, signature(ordered)
        if key not in self._groups:
            self._groups[key] = UtteranceGroup(ordered, [], [])
            shape = tuple(sorted(item.shape for item in ordered))
            self._shapes.setdefault(shape, []).append((service, self._groups[key]))
        self._groups[key].examples.append(number)
        self._groups[key].spellings.append(spellings(ordered))
        self._said.append(self._number(wording))
        self._dialogues.append(dialogue)

    def row(self, wording: Wording) -> list[int]:
        """Return the columns of a wording's n-grams."""
        return self._rows[self._number(wording)]

    def _number(self, wording: Wording) -> int:
        if wording not in self._numbers:
            self._numbers[wording] = len(self._wordings)
            self._wordings.append(wording)
            self._rows.append(self._space.row(wording))
            self._lengths.append(len(tokens(wording)))
        return self._numbers[wording]

    def pool(
        self, items: Sequence[ContentItem], similarity: SchemaSimilarity, without: str = ""
    ) -> CandidatePool | None:
        """Return the candidate wordings for some acts of one service.

        The result is None if no utterance of training has content of the same shape. Utterances of
        the service `without` are left out.
        """
        import numpy as np

        sources = self._sources(items, similarity, without)
        if not sources:
            return None
        numbers: dict[int, int] = {}
        rows: list[tuple[int, int, float]] = []
        spelt: list[list[int]] = []
        for source in sources:
            examples = spread(source.group.examples, MOST_UTTERANCES)
            values, classes = source.values(), spread(source.group.spellings, MOST_UTTERANCES)
            spelt += ([by_value[v] for v in values] for by_value in classes)
            adapted = self._adapted(source, examples, items, similarity)
            for example in examples:
                number, factor = adapted[self._said[example]]
                weight = source.weight * factor / len(source.group.examples) ** 0.5
                place = numbers.setdefault(number, len(numbers))
                rows.append((place, self._dialogues[example], weight))
        places, dialogues, weights = map(np.array, zip(*rows, strict=True))
        ngrams, own = self._space.matrix([self._rows[number] for number in numbers])
        return CandidatePool(
            [self._wordings[number] for number in numbers],
            ngrams,
            self._space.orders()[own],
            own,
            np.array([self._lengths[number] for number in numbers], dtype=np.float64),
            places,
            dialogues,
            weights,
            np.array(spelt).reshape(len(places), -1),
            sources[0].weight,
        )

    def _adapted(
        self,
        source: SourceGroup,
        examples: Sequence[int],
        items: Sequence[ContentItem],
        similarity: SchemaSimilarity,
    ) -> dict[int, tuple[int, float]]:
        """Return the number of each wording of a group to its adapted wording's, and its factor."""
        numbers = {self._said[example] for example in examples}
        if source.service == items[0].service and all(a.key == b.key for a, b in source.pairs):
            return {number: (number, 1.0) for number in numbers}
        adapt = _adaptation(source, items[0].service, similarity)
        variants = {number: adapt(self._wordings[number]) for number in sorted(numbers)}
        return {number: (self._number(wording), fit) for number, (wording, fit) in variants.items()}

    def _sources(
        self, items: Sequence[ContentItem], similarity: SchemaSimilarity, without: str
    ) -> list[SourceGroup]:
        ordered = sorted(items, key=lambda item: item.key)
        service = ordered[0].service
        shape = tuple(sorted(item.shape for item in ordered))
        sources = []
        for other, group in self._shapes.get(shape, ()):
            if other == without:
                continue
            fit, places = self._paired(ordered, group.items, similarity)
            near = 1.0
            if other != service:
                near = OTHER_SERVICE * (UNRELATED + similarity.services(service, other))
            sources.append(SourceGroup(near * fit, other, group, ordered, places))
        sources.sort(key=lambda source: (-source.weight, source.service, str(source.pairs)))
        best = sources[0].weight if sources else 0.0
        return [source for source in sources[:MOST_GROUPS] if source.weight >= LEAST_WEIGHT * best]

    def _paired(
        self,
        items: Sequence[ContentItem],
        others: Sequence[ContentItem],
        similarity: SchemaSimilarity,
    ) -> tuple[float, list[int]]:
        """Return the fit (0 to 1) of a group's items to the wanted ones, and the place of each's.

        Items are paired so that the product of their similarities is largest (the assignment
        problem).
        """
        import numpy as np
        from scipy.optimize import linear_sum_assignment

        if signature(items) == signature(others):
            return 1.0, list(range(len(items)))
        fits = np.array([[self._alike(item, o, similarity) for o in others] for item in items])
        rows, columns = linear_sum_assignment(-np.log(fits))
        return float(fits[rows, columns].prod()) ** PAIR_POWER, columns.tolist()

    def _alike(self, item: ContentItem, other: ContentItem, similarity: SchemaSimilarity) -> float:
        if item.key == other.key:
            return 1.0
        if item.shape != other.shape:
            return IMPOSSIBLE
        if item.implicit not in ("", other.implicit):
            own, theirs = set(words(item.implicit)), set(words(other.implicit))
            shared = RENAMED_INTENT * len(own & theirs) / max(1, len(own | theirs))
            return max(LEAST_INTENT, shared)
        return similarity.slots(item.service, item.slot, other.service, other.slot)


def spellings(items: Iterable[ContentItem]) -> list[int]:
    """Return the classes of the values of content items, in their order."""
    return [spelling(value) for item in items for value in item.values]


def _adaptation(
    source: SourceGroup, service: str, similarity: SchemaSimilarity
) -> Callable[[Wording], tuple[Wording, float]]:
    """Return the function of a wording to one for a service, and the factor of its weight."""
    others = numbered([other for _, other in source.pairs])
    places = dict(zip(others, numbered(source.items), strict=True))
    foreign = similarity.foreign(source.service, service)
    nouns = dict(_nouns(source.pairs, foreign))

    def adapt(wording: Wording) -> tuple[Wording, float]:
        parts: list[str | Placeholder] = []
        strange = 0
        for part in wording:
            if isinstance(part, Placeholder):
                parts.append(places[part])
            else:
                text = part
                for noun, new in nouns.items():
                    text = re.sub(rf"\b{re.escape(noun)}\b", new, text)
                strange += len(foreign.intersection(words(text)))
                parts.append(text)
        return tuple(parts), FOREIGN_WORD**strange

    return adapt


def _nouns(
    pairs: Iterable[tuple[ContentItem, ContentItem]], foreign: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield words of a source's slot names, each with the words of a slot that replace it."""
    for item, other in pairs:
        if item.slot != other.slot:
            ours, theirs = item.slot.split("_"), other.slot.split("_")
            new = [word for word in ours if word not in theirs]
            old = [
                word for word in theirs if word not in ours and foreign.intersection(words(word))
            ]
            if new and old:
                yield old[0], " ".join(new)
