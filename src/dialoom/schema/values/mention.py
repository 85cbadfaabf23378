"""The mention of a value in a text, and the base class of the values of each type of slot.

Each type of slot has a module with one subclass of `SlotValues`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from dialoom.schema.values.text import Text


class TextRange(Protocol):
    """A range of a text's characters, such as a mention or a span."""

    @property
    def start(self) -> int:
        """Index of its first character."""

    @property
    def end(self) -> int:
        """Index after its last character."""


P = TypeVar("P", bound=TextRange)


class Mention(msgspec.Struct, frozen=True):
    """A mention of a slot's value in a text, in Unicode code points; `end` is exclusive.

    The confidence is from 0 to 1 (values/finding.py has the formula).
    """

    slot: str
    value: Any
    start: int
    end: int
    confidence: float = 1.0


def disjoint(ranges: Iterable[P]) -> Iterator[P]:
    """Yield the ranges of a text that overlap none of those yielded before."""
    starts: list[int] = []
    ends: list[int] = []
    for each in ranges:
        at = bisect_left(starts, each.end)  # of those that begin before its end, the last ends last
        if not at or ends[at - 1] <= each.start:
            starts.insert(at, each.start)
            ends.insert(at, each.end)
            yield each


def by_place(mentions: Iterable[Mention]) -> dict[tuple[int, int], list[Mention]]:
    """Return (start, end) to the mentions there, the longest places first."""
    places: dict[tuple[int, int], list[Mention]] = {}
    for each in mentions:
        places.setdefault((each.start, each.end), []).append(each)
    return dict(sorted(places.items(), key=lambda item: item[0][0] - item[0][1]))


class SlotValues(ABC):
    """The values of one slot in one language; `finding.py` combines those of several slots."""

    @abstractmethod
    def render(self, value: Any) -> Iterator[str]:
        """Yield the texts that express a value, the plainest first."""

    @abstractmethod
    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the mentions of values in a text that `phrases` do not cover; they may overlap."""

    def phrases(self) -> Iterable[tuple[str, Any]]:
        """Return pairs of a phrase and its value; phrases are looked up word by word."""
        return ()

    def keys(self) -> Mapping[str, tuple[str, ...]]:
        """Return value to its distinctive words, which are also found inflected or misspelt."""
        return {}

    def answer(self, text: Text) -> Any:
        """Return the value that an answer without any mention gives, or None."""
        return None
