"""How alike slots and services are, by the words of their schemas.

words("CheckInDate of the stay")     # ["check", "date", "stay"]
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

from dialoom.models.base import Schemas
from dialoom.schema.services import contract

Vector = Mapping[str, float]

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

SHORT = 3
"""Letters that a word has at least to say what something is about."""

NAME, DESCRIPTION = 0.6, 0.4
"""How much the names and the descriptions of two slots weigh in their likeness."""

LEAST = 0.05
"""The likeness of slots that have no word in common."""


@lru_cache(maxsize=1 << 16)
def words(text: str) -> tuple[str, ...]:
    """Return the words of a name or a description, in lower case, without short ones."""
    found = (word.lower() for word in _WORD.findall(text))
    return tuple(word.removesuffix("s") for word in found if len(word) >= SHORT)


class SchemaLikeness:
    """Likeness of slots and services of some schemas, from 0 to 1."""

    def __init__(self, schemas: Schemas) -> None:
        contracts = {name: contract(task) for name, task in schemas.items()}
        self._names: dict[tuple[str, str], Vector] = {}
        self._told: dict[tuple[str, str], Vector] = {}
        texts: dict[str, list[str]] = {}
        described: dict[tuple[str, str], str] = {}
        for name, service in contracts.items():
            each = [service.description or "", name.rpartition("_")[0]]
            each += [f"{i.name} {i.description or ''}" for i in service.intents]
            for slot in service.slots:
                described[name, slot.name] = slot.description or ""
                each.append(f"{slot.name} {slot.description or ''}")
            texts[name] = each
        rare = _rarity(text for each in texts.values() for text in each)
        for key, text in described.items():
            self._names[key] = _vector(words(key[1]), rare)
            self._told[key] = _vector(words(text), rare)
        self._services = {
            name: _vector([w for text in each for w in words(text)], rare)
            for name, each in texts.items()
        }

    def slots(self, service: str, slot: str, other: str, other_slot: str) -> float:
        """Return how alike two slots are: 1 where their names are the same."""
        if slot == other_slot:
            return 1.0
        one, two = (service, slot), (other, other_slot)
        name = _cosine(self._names.get(one, {}), self._names.get(two, {}))
        told = _cosine(self._told.get(one, {}), self._told.get(two, {}))
        return max(LEAST, 0.9 * (NAME * name + DESCRIPTION * told))

    def services(self, service: str, other: str) -> float:
        """Return how alike two services are."""
        if service == other:
            return 1.0
        return _cosine(self._services.get(service, {}), self._services.get(other, {}))

    def foreign(self, service: str, other: str) -> frozenset[str]:
        """Return the words of a service's schema that another's does not have."""
        return frozenset(
            self._services.get(service, {}).keys() - self._services.get(other, {}).keys()
        )


def _rarity(texts: Iterable[str]) -> Vector:
    held = [set(words(text)) for text in texts]
    counts = Counter(word for each in held for word in each)
    return {word: math.log(1 + len(held) / n) for word, n in counts.items()}


def _vector(said: Iterable[str], rare: Vector) -> Vector:
    found = {word: n**0.5 * rare.get(word, 1.0) for word, n in Counter(said).items()}
    norm = math.sqrt(sum(value * value for value in found.values()))
    return {word: value / norm for word, value in found.items()} if norm else {}


def _cosine(one: Vector, other: Vector) -> float:
    return sum(value * other.get(word, 0.0) for word, value in one.items())
