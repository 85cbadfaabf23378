"""Similarity of two values of a slot: by their character trigrams and their numbers."""

from __future__ import annotations

import re
from functools import lru_cache

from dialoom.dialogue.annotation import Value

ABSENT = float("nan")
"""The similarity if there is nothing to compare: a missing value for trees."""

_SPLIT = re.compile(r"[^a-z0-9.]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@lru_cache(maxsize=100_000, typed=True)
def trigrams(value: Value) -> frozenset[str]:
    """Return the character trigrams of a value in lower case, with blanks at its ends."""
    words = _SPLIT.sub(" ", str(value).lower()).strip(" .")
    padded = f" {words} "
    return frozenset(padded[n : n + 3] for n in range(len(padded) - 2))


@lru_cache(maxsize=200_000, typed=True)
def alike(one: Value, other: Value) -> float:
    """Return the Dice coefficient of two values' trigrams, from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else float(one == other)


@lru_cache(maxsize=200_000, typed=True)
def contained(one: Value, other: Value) -> float:
    """Return the share of the trigrams of `one` that `other` has, from 0 to 1."""
    a, b = trigrams(one), trigrams(other)
    return len(a & b) / len(a) if a else 0.0


@lru_cache(maxsize=100_000, typed=True)
def numbers(value: Value) -> frozenset[float]:
    """Return the numbers in a value."""
    return frozenset(map(float, _NUMBER.findall(str(value))))


def numbers_alike(one: Value, other: Value) -> float:
    """Return the Jaccard coefficient of two values' numbers; `ABSENT` if either has none."""
    a, b = numbers(one), numbers(other)
    return len(a & b) / len(a | b) if a and b else ABSENT
