"""Micro F1 of what answers consist of: items that are right, missing and too much."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dialoom.metrics.base import Counts, Score, Signature, share

OUTCOMES = ("right", "missing", "extra")


def overlaps(
    units: Iterable[str], gold: Iterable[Counter[Any]], found: Iterable[Counter[Any]]
) -> Counts:
    """Count what is right, missing and too much of each unit, as multisets."""
    counts: Counts = Counter()
    for unit, right, given in zip(units, gold, found, strict=True):
        sizes: Sequence[int] = [
            each.total() for each in (right & given, right - given, given - right)
        ]
        for outcome, size in zip(OUTCOMES, sizes, strict=True):
            counts[unit, outcome] += size
    return counts


def f1_scores(units: Mapping[str, str], counts: Counts) -> dict[str, Score]:
    """Return the F1 of each unit in percent, from what `overlaps` counted."""
    found = {}
    for unit, equal in units.items():
        right, missing, extra = (counts[unit, outcome] for outcome in OUTCOMES)
        name = f"{unit}_f1"
        signature = Signature({"metric": name, "equal": equal, "avg": "micro"})
        found[name] = Score(name, share(2 * right, 2 * right + missing + extra), signature)
    return found
