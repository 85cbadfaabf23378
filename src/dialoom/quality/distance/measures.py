"""Distances of two sets of counts.

divergence({"a": 1, "b": 1}, {"a": 1})      # 0.3113 bits
transport({5: 1}, {8: 1})                   # 3.0 tokens
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping
from typing import TypeVar

K = TypeVar("K", bound=Hashable)

Pair = tuple[str, str, str]
"""The owner of an order (agent or task), and two names in the order of their first occurrence."""

FEWEST = 5
"""Dialogues of either side that a pair of names must occur in for its order to be compared."""


def divergence(one: Mapping[K, int], other: Mapping[K, int]) -> float | None:
    """Return the Jensen-Shannon divergence of two distributions in bits; None if one is empty.

    The mean relative entropy of the two with regard to their mean (Lin 1991, with equal weights):
    0 where they are the same, 1 where they have nothing in common.
    """
    if not sum(one.values()) or not sum(other.values()):
        return None
    return min(max(math.fsum(shares(one, other).values()), 0.0), 1.0)


def shares(one: Mapping[K, int], other: Mapping[K, int]) -> dict[K, float]:
    """Return item to its share of the divergence, in bits; neither distribution may be empty."""
    first, second = sum(one.values()), sum(other.values())
    return {
        key: _share(one.get(key, 0) / first, other.get(key, 0) / second)
        for key in dict.fromkeys((*one, *other))
    }


def _share(p: float, q: float) -> float:
    mean = (p + q) / 2
    return sum(x * math.log2(x / mean) / 2 for x in (p, q) if x)


def transport(one: Mapping[int, int], other: Mapping[int, int]) -> float | None:
    """Return the earth mover's distance of two histograms in their own unit; None if one is empty.

    The area between the two cumulative distributions: by how much, on average, values have to be
    moved to make one histogram the other.
    """
    first, second = sum(one.values()), sum(other.values())
    if not first or not second:
        return None
    area = surplus = 0.0
    before = None
    for value in sorted({*one, *other}):
        if before is not None:
            area += abs(surplus) * (value - before)
        surplus += one.get(value, 0) / first - other.get(value, 0) / second
        before = value
    return area


def disagreement(one: Mapping[Pair, int], other: Mapping[Pair, int]) -> float | None:
    """Return the difference of the orders of names, 0 to 1; None where no pair can be compared.

    The mean, over the pairs of names that both have, of how far apart the shares of dialogues are
    in which the first name of the pair comes first. A pair counts as often as it occurs in the side
    that has it less often.
    """
    total = weight = 0.0
    for _, p, q, n in orders(one, other):
        total += abs(p - q) * n
        weight += n
    return total / weight if weight else None


def orders(
    one: Mapping[Pair, int], other: Mapping[Pair, int]
) -> Iterator[tuple[Pair, float, float, int]]:
    """Yield each pair that both have, the share in which its first name leads, and its weight."""
    for owner, a, b in sorted({(o, *sorted(names)) for o, *names in {*one, *other}}):
        ahead, behind = (owner, a, b), (owner, b, a)
        here = one.get(ahead, 0) + one.get(behind, 0)
        there = other.get(ahead, 0) + other.get(behind, 0)
        if min(here, there) >= FEWEST:
            yield ahead, one.get(ahead, 0) / here, other.get(ahead, 0) / there, min(here, there)


def covered(words: Mapping[K, int], by: Mapping[K, int]) -> float | None:
    """Return the share of running words that another vocabulary has; None where there are none."""
    total = sum(words.values())
    return sum(n for word, n in words.items() if word in by) / total if total else None
