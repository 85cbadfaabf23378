"""Similarity of slots, of services, and of dialogues' wording: cosines of TF-IDF vectors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from dialoom.dialogue import SYSTEM, Event, Utterance
from dialoom.dialogue.views import annotated_parts, service_acts
from dialoom.learn.model import Schemas
from dialoom.learn.text import TermWeights, WordTerms
from dialoom.learn.words import content as roots
from dialoom.learn.words import stem_idf
from dialoom.models.realiser.wording import content, find_wording, numbered
from dialoom.schema.services import contract

Vector = Mapping[str, float]
"""Word to its weight; of Euclidean length one."""

NAME, DESCRIPTION = 0.6, 0.4
"""Weights of the cosine of names and of the cosine of descriptions in the similarity of slots."""

RENAMED = 0.9
"""Greatest similarity of slots with different names."""

LEAST = 0.05
"""Similarity of slots without a common word."""


@lru_cache(maxsize=1 << 16)
def words(text: str) -> tuple[str, ...]:
    """Return the roots of the distinct words of a name or a description, without stop words."""
    return tuple(roots(text))


class SchemaSimilarity:
    """Similarity of the slots and of the services of some schemas, from 0 to 1."""

    def __init__(self, schemas: Schemas) -> None:
        contracts = {name: contract(task) for name, task in schemas.items()}
        self._names: dict[tuple[str, str], Vector] = {}
        self._descriptions: dict[tuple[str, str], Vector] = {}
        texts: dict[str, list[str]] = {}
        described: dict[tuple[str, str], str] = {}
        for name, service in contracts.items():
            each = [service.description or "", name.rpartition("_")[0]]
            each += [f"{i.name} {i.description or ''}" for i in service.intents]
            for slot in service.slots:
                described[name, slot.name] = slot.description or ""
                each.append(f"{slot.name} {slot.description or ''}")
            texts[name] = each
        rare = stem_idf([words(text) for each in texts.values() for text in each])
        for key, text in described.items():
            self._names[key] = _vector(words(key[1]), rare)
            self._descriptions[key] = _vector(words(text), rare)
        self._services = {
            name: _vector([w for text in each for w in words(text)], rare)
            for name, each in texts.items()
        }

    def slots(self, service: str, slot: str, other: str, other_slot: str) -> float:
        """Return the similarity of two slots, `LEAST` to 1; it is 1 if their names are equal."""
        if slot == other_slot:
            return 1.0
        one, two = (service, slot), (other, other_slot)
        name = _cosine(self._names.get(one, {}), self._names.get(two, {}))
        description = _cosine(self._descriptions.get(one, {}), self._descriptions.get(two, {}))
        return max(LEAST, RENAMED * (NAME * name + DESCRIPTION * description))

    def services(self, service: str, other: str) -> float:
        """Return the similarity of two services, 0 to 1."""
        if service == other:
            return 1.0
        return _cosine(self._services.get(service, {}), self._services.get(other, {}))

    def foreign(self, service: str, other: str) -> frozenset[str]:
        """Return the words of the schema of `service` that the schema of `other` lacks."""
        return frozenset(
            self._services.get(service, {}).keys() - self._services.get(other, {}).keys()
        )


def _vector(words: Iterable[str], rare: Vector) -> Vector:
    """Return words as a vector: square roots of counts, times inverse document frequencies."""
    weights = {word: n**0.5 * rare.get(word, 1.0) for word, n in Counter(words).items()}
    norm = math.sqrt(sum(value * value for value in weights.values()))
    return {word: value / norm for word, value in weights.items()} if norm else {}


def _cosine(one: Vector, other: Vector) -> float:
    return sum(value * other.get(word, 0.0) for word, value in one.items())


TOKEN = r"[^\W\d_]+(?:'[^\W\d_]+)*|[.,!?]"
"""A word or a punctuation mark; case counts."""

VALUE = " _ "
"""The text in place of each value that the system names."""

RARE, MOST = 3, 200_000
"""Least dialogues with an n-gram for it to count, and most n-grams that count."""


class DialogueStyle:
    """Compares dialogues with those of training by their wording.

    N-grams in at least `RARE` dialogues count, at most `MOST`, the most frequent ones.
    """

    def __init__(self, dialogues: Iterable[Sequence[Event]]) -> None:
        texts = ["\n".join(spoken(events)) for events in dialogues]
        terms = WordTerms(TOKEN, longest=3, lower=False)
        self._reader = TermWeights(terms, min(RARE, len(texts)), MOST).fit(texts)
        self._known = self._reader.transform(texts).T.tocsr()

    def similarity(self, histories: Iterable[Sequence[Event]]) -> Any:
        """Return the cosine (0 to 1) of each history (rows) with each dialogue of training."""
        read = self._reader.transform(["\n".join(spoken(events)) for events in histories])
        return (read @ self._known).toarray()


def spoken(events: Sequence[Event]) -> Iterator[str]:
    """Yield the texts of utterances, those of the system without the values it names."""
    for event in events:
        if isinstance(event, Utterance):
            yield _plain(event) if event.agent == SYSTEM else event.text


def _plain(utterance: Utterance) -> str:
    acts = service_acts(annotated_parts(utterance))
    wording = find_wording(utterance.text, numbered(content(acts))) or (utterance.text,)
    return "".join(part if isinstance(part, str) else VALUE for part in wording)
