"""Values of training looked up in the words of a text: what baselines share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T", str, tuple[str, str])

Words = tuple[str, ...]
"""The words of a value, in lower case."""


def commonest(counts: Counter[T]) -> T:
    """Return what was counted most often; of several, the first in order."""
    return min(counts, key=lambda each: (-counts[each], each))


def matches(
    words: Sequence[str], values: Collection[Words], longest: int
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each value among words, the longest one at each place.

    Args:
        words: The words.
        values: The values that are looked for.
        longest: Number of words of the longest value.
    """
    start = 0
    while start < len(words):
        ends = range(min(len(words), start + longest), start, -1)
        end = next((end for end in ends if tuple(words[start:end]) in values), None)
        if end is not None:
            yield start, end
        start = end or start + 1
