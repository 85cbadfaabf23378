"""Edits of a text, and the spans' offsets after them.

    edits = [Edit(5, 5, "um ")]
    apply("I am here now.", edits)                    # "I am um here now."
    Alignment(edits).span(Span(5, 9, ("where",)))     # Span(8, 12, ("where",))

A span follows the characters it covers: insertions at its borders are outside, those between them
inside. Offsets are in code points, as in `Span`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from msgspec.structs import replace

from dialoom.dialogue import Span


class Edit(NamedTuple):
    """Characters `start` to `end` (exclusive) become `text`; an insertion where both are equal."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with its edits made; they are in order and do not overlap."""
    pieces: list[str] = []
    at = 0
    for start, end, new in edits:
        pieces += text[at:start], new
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


class Alignment:
    """Maps offsets of the old text to those of the new one; edits are in order, without overlap."""

    def __init__(self, edits: Iterable[Edit]) -> None:
        moving = [edit for edit in edits if len(edit.text) != edit.end - edit.start]
        shifts = accumulate((len(e.text) - (e.end - e.start) for e in moving), initial=0)
        self._starts = [edit.start for edit in moving]
        self._ends = [edit.end for edit in moving]
        self._texts = [len(edit.text) for edit in moving]
        self._shifts = list(shifts)
        """Shift of the text before the n-th edit, in characters."""

    def start(self, offset: int) -> int:
        """Return the new beginning of a span that begins at `offset`: after insertions there."""
        before = bisect_right(self._ends, offset)
        moved = offset + self._shifts[before]
        inside = before < len(self._starts) and self._starts[before] < offset
        return self._starts[before] + self._shifts[before] if inside else moved

    def end(self, offset: int) -> int:
        """Return the new end of a span that ends at `offset`: before insertions there."""
        before = bisect_left(self._starts, offset)
        if before and self._ends[before - 1] > offset:  # inside a replacement: all of it
            return self._starts[before - 1] + self._shifts[before - 1] + self._texts[before - 1]
        return offset + self._shifts[before]

    def span(self, span: Span) -> Span:
        """Return the span with its new offsets."""
        start = self.start(span.start)
        end = start if span.end == span.start else self.end(span.end)
        return replace(span, start=start, end=end)


def aligned(span: Span, alignment: Alignment, before: str, after: str) -> Span:
    """Return a span in its new text.

    `text`, the source's own copy of the covered text, stays while that reads the same; `value` and
    labels are gold and stay.
    """
    moved = alignment.span(span)
    if span.text is None or _covered(before, span) == _covered(after, moved):
        return moved
    return replace(moved, text=None)


def _covered(text: str, span: Span) -> str:
    return text[max(span.start, 0) : max(span.end, 0)]
