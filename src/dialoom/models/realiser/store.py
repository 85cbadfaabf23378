"""What training said: wordings by service and signature, and what of it fits new acts.

Acts that training never had in a service are said as the most alike acts of others were: slots are
paired by the likeness of their schemas, placeholders and nouns are exchanged.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.models.realiser.likeness import SchemaLikeness, words
from dialoom.models.realiser.ngrams import NgramSpace, tokens
from dialoom.models.realiser.wording import (
    ContentItem,
    Placeholder,
    Signature,
    Wording,
    signature,
    value_kind,
)

OTHER = 0.03
"""The weight of an utterance of another service that says the same slots."""

SHARP = 3.0
"""The power to which the likeness of paired slots is raised."""

FOREIGN = 0.4
"""What an utterance keeps of its weight for each word that only its own service's schema has."""

UNLIKE = 0.1
"""What the likeness of two slots keeps where their values never look alike."""

GROUPS, GROUP, LEAST = 12, 5000, 1e-3
"""Groups of utterances that are looked at, utterances a group, and the least weight of a group
relative to the best, to keep pools small."""


class UtteranceGroup(NamedTuple):
    """Utterances of one service and signature.

    Attributes:
        items: What they say, by key.
        examples: Their numbers.
    """

    items: list[ContentItem]
    examples: list[int]


class SourceGroup(NamedTuple):
    """A group that can say some acts, how well, and which item of it stands for which."""

    weight: float
    service: str
    group: UtteranceGroup
    pairs: list[tuple[ContentItem, ContentItem]]


class CandidatePool(NamedTuple):
    """What may be said, and what was.

    Attributes:
        wordings: What may be said.
        ngrams: Their n-grams: a row each.
        orders: The order of each n-gram, from 0.
        columns: Which of all n-grams each is.
        lengths: Tokens of each wording.
        said: Which wording each utterance of training has.
        dialogues: The dialogue of each utterance.
        weights: The weight of each utterance.
        fit: How well the best of them fits, from 0 to 1.
    """

    wordings: list[Wording]
    ngrams: Any
    orders: Any
    columns: Any
    lengths: Any
    said: Any
    dialogues: Any
    weights: Any
    fit: float


class WordingStore:
    """The utterances of training."""

    def __init__(self) -> None:
        self._space = NgramSpace()
        self._numbers: dict[Wording, int] = {}
        self._wordings: list[Wording] = []
        self._rows: list[list[int]] = []
        self._lengths: list[int] = []
        self._said: list[int] = []
        self._dialogues: list[int] = []
        self._kinds: dict[tuple[str, str], Counter[str]] = {}
        self._groups: dict[tuple[str, Signature], UtteranceGroup] = {}
        self._shapes: dict[Signature, list[tuple[str, UtteranceGroup]]] = {}

    def add(self, items: Sequence[ContentItem], wording: Wording, dialogue: int) -> None:
        """Take up an utterance."""
        ordered = sorted(items, key=lambda item: item.key)
        service, number = ordered[0].service, len(self._said)
        key = service, signature(ordered)
        if key not in self._groups:
            self._groups[key] = UtteranceGroup(ordered, [])
            shape = tuple(sorted(item.shape for item in ordered))
            self._shapes.setdefault(shape, []).append((service, self._groups[key]))
        self._groups[key].examples.append(number)
        for item in items:
            held = self._kinds.setdefault((item.service, item.slot), Counter())
            held.update(map(value_kind, item.values))
        self._said.append(self._number(wording))
        self._dialogues.append(dialogue)

    def row(self, wording: Wording) -> list[int]:
        """Return the n-grams of a wording."""
        return self._rows[self._number(wording)]

    def _number(self, wording: Wording) -> int:
        if wording not in self._numbers:
            self._numbers[wording] = len(self._wordings)
            self._wordings.append(wording)
            self._rows.append(self._space.row(wording))
            self._lengths.append(len(tokens(wording)))
        return self._numbers[wording]

    def pool(
        self, items: Sequence[ContentItem], likeness: SchemaLikeness, without: str = ""
    ) -> CandidatePool | None:
        """Return what may be said for some acts; None where training said nothing of the kind.

        Args:
            items: What is to be said.
            likeness: Tells how alike slots and services are.
            without: A service whose utterances are left out.
        """
        import numpy as np

        sources = self._sources(items, likeness, without)
        if not sources:
            return None
        numbers: dict[int, int] = {}
        said: list[int] = []
        dialogues: list[int] = []
        weights: list[float] = []
        for source in sources:
            examples = _spread(source.group.examples)
            adapted = self._adapted(source, examples, items, likeness)
            for example in examples:
                number, factor = adapted[self._said[example]]
                said.append(numbers.setdefault(number, len(numbers)))
                dialogues.append(self._dialogues[example])
                weights.append(source.weight * factor / len(source.group.examples) ** 0.5)
        ngrams, own = self._space.matrix([self._rows[number] for number in numbers])
        return CandidatePool(
            [self._wordings[number] for number in numbers],
            ngrams,
            self._space.orders()[own],
            own,
            np.array([self._lengths[number] for number in numbers], dtype=np.float64),
            np.array(said),
            np.array(dialogues),
            np.array(weights),
            sources[0].weight,
        )

    def _adapted(
        self,
        source: SourceGroup,
        examples: Sequence[int],
        items: Sequence[ContentItem],
        likeness: SchemaLikeness,
    ) -> dict[int, tuple[int, float]]:
        """Return a group's wordings, each with what it becomes and what it keeps of its weight."""
        found = {self._said[example] for example in examples}
        if source.service == items[0].service and all(a.key == b.key for a, b in source.pairs):
            return {number: (number, 1.0) for number in found}
        adaptation = _Adaptation(source, items, likeness)
        made = {number: adaptation(self._wordings[number]) for number in sorted(found)}
        return {number: (self._number(wording), kept) for number, (wording, kept) in made.items()}

    def _sources(
        self, items: Sequence[ContentItem], likeness: SchemaLikeness, without: str
    ) -> list[SourceGroup]:
        service = items[0].service
        shape = tuple(sorted(item.shape for item in items))
        found = []
        for other, group in self._shapes.get(shape, ()):
            if other == without:
                continue
            fit, pairs = self._paired(items, group.items, likeness)
            near = 1.0 if other == service else OTHER * (0.2 + likeness.services(service, other))
            found.append(SourceGroup(near * fit, other, group, pairs))
        found.sort(key=lambda source: (-source.weight, source.service, str(source.pairs)))
        best = found[0].weight if found else 0.0
        return [source for source in found[:GROUPS] if source.weight >= LEAST * best]

    def _paired(
        self, items: Sequence[ContentItem], others: Sequence[ContentItem], likeness: SchemaLikeness
    ) -> tuple[float, list[tuple[ContentItem, ContentItem]]]:
        """Return how well others' slots stand for some, and which for which."""
        import numpy as np
        from scipy.optimize import linear_sum_assignment

        items = sorted(items, key=lambda item: item.key)
        if signature(items) == signature(others):
            return 1.0, list(zip(items, others, strict=True))
        fits = np.array([[self._alike(item, o, likeness) for o in others] for item in items])
        rows, columns = linear_sum_assignment(-np.log(fits))
        pairs = [(items[row], others[column]) for row, column in zip(rows, columns, strict=True)]
        return float(fits[rows, columns].prod()) ** SHARP, pairs

    def _alike(self, item: ContentItem, other: ContentItem, likeness: SchemaLikeness) -> float:
        if item.key == other.key:
            return 1.0
        if item.shape != other.shape:
            return 1e-9
        if item.told not in ("", other.told):
            own, theirs = set(words(item.told)), set(words(other.told))
            return max(0.1, 0.9 * len(own & theirs) / max(1, len(own | theirs)))
        alike = likeness.slots(item.service, item.slot, other.service, other.slot)
        kinds = self._kinds[other.service, other.slot]
        for value in item.values:
            alike *= UNLIKE + (1 - UNLIKE) * kinds[value_kind(value)] / kinds.total()
        return alike

    def said(self, items: Sequence[ContentItem]) -> bool:
        """Tell whether a service said just these slots."""
        return (items[0].service, signature(items)) in self._groups


def _spread(examples: Sequence[int]) -> Sequence[int]:
    """Return at most `GROUP` of some examples, evenly spread."""
    return examples[:: max(1, math.ceil(len(examples) / GROUP))]


class _Adaptation:
    """Makes of a group's wordings such that say other acts.

    Args:
        source: The group.
        items: What is to be said.
        likeness: Tells which words are foreign.
    """

    def __init__(
        self, source: SourceGroup, items: Sequence[ContentItem], likeness: SchemaLikeness
    ) -> None:
        service = items[0].service
        self._places = dict(_exchanged(source.pairs))
        self._foreign = likeness.foreign(source.service, service)
        self._nouns = dict(_nouns(source.pairs, self._foreign))

    def __call__(self, wording: Wording) -> tuple[Wording, float]:
        """Return a wording with other placeholders and nouns, and what it keeps of its weight."""
        parts: list[str | Placeholder] = []
        strange = 0
        for part in wording:
            if isinstance(part, Placeholder):
                parts.append(self._places[part])
            else:
                text = self._reworded(part)
                strange += len(self._foreign.intersection(words(text)))
                parts.append(text)
        return tuple(parts), FOREIGN**strange

    def _reworded(self, text: str) -> str:
        for noun, new in self._nouns.items():
            text = _whole(noun).sub(new, text)
        return text


@lru_cache(maxsize=1 << 10)
def _whole(noun: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(noun)}\b")


def _exchanged(
    pairs: Iterable[tuple[ContentItem, ContentItem]],
) -> Iterator[tuple[Placeholder, Placeholder]]:
    """Yield the placeholders of a source, each with what it becomes."""
    old: dict[str, int] = {}
    new: dict[str, int] = {}
    for item, other in pairs:
        for _ in item.values:
            before, after = old.get(other.key, 0), new.get(item.key, 0)
            yield Placeholder(other.key, before), Placeholder(item.key, after)
            old[other.key], new[item.key] = before + 1, after + 1


def _nouns(
    pairs: Iterable[tuple[ContentItem, ContentItem]], foreign: frozenset[str]
) -> Iterator[tuple[str, str]]:
    """Yield words of a source's slot names that become those of the slots in their place."""
    for item, other in pairs:
        if item.slot != other.slot:
            ours, theirs = item.slot.split("_"), other.slot.split("_")
            new = [word for word in ours if word not in theirs]
            old = [
                word for word in theirs if word not in ours and foreign.intersection(words(word))
            ]
            if new and old:
                yield old[0], " ".join(new)
