"""How alike two values of a slot are: by the three-letter strings and the numbers in them."""

from __future__ import annotations

import re
from functools import lru_cache

from dialoom.dialogue.annotation import Value

ABSENT = float("nan")
"""What there is nothing to say about."""

_SPLIT = re.compile(r"[^a-z0-9.]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=100_000, typed=True)
def trigrams(value: Value) -> frozenset[str]:
    """Return the three-letter strings of a value, those across the ends of its words included."""
    words = _SPLIT.sub(" ", str(value).lower()).strip(" .")
    padded = f" {words} "
    return frozenset(padded[n : n + 3] for n in range(len(padded) - 2))


@lru_cache(maxsize=200_000, typed=True)
def alike(one: Value, other: Value) -> float:
    """Return what two values share of what they have on average (Dice), from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else float(one == other)


@lru_cache(maxsize=200_000, typed=True)
def contained(one: Value, other: Value) -> float:
    """Return how much of one value is in another one, from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return len(a & b) / len(a) if a else 0.0


@lru_cache(maxsize=100_000, typed=True)
def numbers(value: Value) -> frozenset[float]:
    """Return the numbers in a value."""
    return frozenset(map(float, _NUMBER.findall(str(value))))


def numbers_alike(one: Value, other: Value) -> float:
    """Return what share of two values' numbers both have; ABSENT where one has none."""
    a, b = numbers(one), numbers(other)
    return len(a & b) / len(a | b) if a and b else ABSENT
