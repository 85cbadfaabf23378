"""Agreement of annotators beyond chance, for values that are alike or not (nominal ones), or ranks.

A unit is what annotators decide about; it is the tuple of the values it was given, and units come
counted. Chance is what the shares of the values make likely. A coefficient is 1 where all agree and
0 where they agree as often as by chance; it is None where chance alone agrees always, because every
unit was given the same value, and where there is nothing to compare.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import accumulate, permutations

Units = Mapping[tuple[str, ...], int]
"""Values that a unit was given, one by each of its annotators, to the number of such units."""


def cohen(units: Units) -> float | None:
    """Return Cohen's kappa (Cohen 1960) of pairs of values, with shares by annotator."""
    total = sum(units.values())
    first, second = _values(units, 0), _values(units, 1)
    same = sum(n for (one, other), n in units.items() if one == other)
    return _beyond_chance(same * total, sum(n * second[value] for value, n in first.items()), total)


def _values(units: Units, place: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for values, n in units.items():
        counts[values[place]] += n
    return counts


def _beyond_chance(same: float, chance: float, total: int) -> float | None:
    """Return (same - chance) / (1 - chance) of two shares that are given times the square."""
    return (same - chance) / (total * total - chance) if total * total != chance else None


def fleiss(units: Units) -> float | None:
    """Return Fleiss' kappa (Fleiss 1971).

    It is defined for units with one number of annotators. If units have several numbers, those with
    the most frequent one are taken (the larger of two that are as frequent).
    """
    sizes: Counter[int] = Counter()
    for values, n in units.items():
        sizes[len(values)] += n * (len(values) > 1)
    size = max(sizes, key=lambda size: (sizes[size], size), default=0)
    subset = {values: n for values, n in units.items() if len(values) == size > 1}
    shares, same = _shares(subset)
    ratings = shares.total()
    chance = sum(n * n for n in shares.values())
    return _beyond_chance(same * ratings, chance, ratings)


def _shares(units: Units) -> tuple[Counter[str], float]:
    """Return how often each value was given, and how many of the values have a partner.

    A value's partners are the other values of its unit; one with one alike of two counts half.
    """
    counts: Counter[str] = Counter()
    same = 0.0
    for values, n in units.items():
        each = Counter(values)
        for value, times in each.items():
            counts[value] += n * times
        same += n * sum(times * (times - 1) for times in each.values()) / (len(values) - 1)
    return counts, same


def krippendorff(units: Units, *, ordinal: bool = False) -> float | None:
    """Return Krippendorff's alpha (Krippendorff 2018, ch. 12).

    Units may have different numbers of annotators; those with fewer than two are ignored. With
    `ordinal`, the distance of two whole numbers is the share of values between them.
    """
    paired = {values: n for values, n in units.items() if len(values) > 1}
    if ordinal:
        return _ordinal(paired)
    counts, same = _shares(paired)
    total = counts.total()
    apart = total * total - sum(n * n for n in counts.values())
    return 1 - (total - 1) * (total - same) / apart if apart else None


def _ordinal(units: Units) -> float | None:
    """Return alpha with the distance of ordinal values, (sum of n_c to n_k less half of both)^2."""
    counts: Counter[str] = Counter()
    for values, n in units.items():
        for value in values:
            counts[value] += n
    ordered = sorted(counts, key=int)
    reached = dict(zip(ordered, accumulate(counts[value] for value in ordered), strict=True))

    def apart(one: str, other: str) -> float:
        between = reached[one] - counts[one] / 2 - (reached[other] - counts[other] / 2)
        return between * between

    distance = sum(
        n * apart(one, other) / (len(values) - 1)
        for values, n in units.items()
        for one, other in permutations(values, 2)
    )
    chance = sum(counts[a] * counts[b] * apart(a, b) for a, b in permutations(counts, 2))
    return 1 - (counts.total() - 1) * distance / chance if chance else None


def f1(hits: int, marked: int) -> float | None:
    """Return the F1 of two sets, which is symmetric, by common elements and all `marked` ones.

    With ever more units that nobody marks, the kappas come near to it (Hripcsak & Rothschild 2005).
    """
    return 2 * hits / marked if marked else None
