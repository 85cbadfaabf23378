"""The interface of a kind of noise: it changes an utterance's text or its acts, nothing else."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from dialoom.dialogue import Layer, Part, Span, Utterance
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.speech import NoiseWords


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


@dataclass(frozen=True, slots=True)
class Draw:
    """The settings and random numbers for one utterance.

    `rate` is the probability of a change at any one place (letter, word or utterance); with
    `spare`, texts under spans stay unchanged.
    """

    rng: SeededRng
    rate: float
    speech: NoiseWords
    spare: bool = False


class NoiseKind(Protocol):
    """A kind of noise."""

    @property
    def name(self) -> str:
        """Its name in the registry."""

    @property
    def place(self) -> str:
        """The unit of the rate: letters, words or utterances."""

    @property
    def rate(self) -> float:
        """The default rate."""

    def utterance(self, utterance: Utterance, draw: Draw) -> Utterance:
        """Return the utterance with noise; the same object if unchanged."""


Edits = Callable[[str, Sequence[Span], Draw], Iterable[Edit]]
"""Text, its spans and a draw to the edits of the text, in order and without overlap."""


@dataclass(frozen=True)
class TextKind:
    """Noise in a text; the spans of every layer move with their words.

    Acts and states keep the intended values. Texts under spans change like the rest, unless
    `Draw.spare` is set. `place` is the unit of the rate: letters, words or utterances.
    """

    name: str
    place: str
    rate: float
    edits: Edits

    def text(self, text: str, spans: Sequence[Span], draw: Draw) -> tuple[str, tuple[Span, ...]]:
        """Return a text with noise and its spans, moved."""
        edits = self.made(text, spans, draw)
        if not edits:
            return text, tuple(spans)
        after, alignment = apply(text, edits), Alignment(edits)
        return after, tuple(aligned(span, alignment, text, after) for span in spans)

    def made(self, text: str, spans: Sequence[Span], draw: Draw) -> list[Edit]:
        """Return the edits of a text, without those under spans if these are spared."""
        edits = list(self.edits(text, spans, draw))
        if not draw.spare:
            return edits
        return [e for e in edits if not any(e.start < s.end and e.end > s.start for s in spans)]

    def utterance(self, utterance: Utterance, draw: Draw) -> Utterance:
        """Return the utterance with noise in its text."""
        text, moved = self.text(utterance.text, spans_of(utterance), draw)
        if text == utterance.text:
            return utterance
        rest = iter(moved)
        return replace(utterance, text=text, layers=each_span(utterance, lambda _: next(rest)))


def spans_of(utterance: Utterance) -> list[Span]:
    """Return the spans of all layers of an utterance."""
    return [s for layer in utterance.layers for part in layer.parts for s in part.spans or ()]


def each_part(layers: Iterable[Layer], change: Callable[[Part], Part]) -> tuple[Layer, ...]:
    """Return layers whose parts went through `change`, in order."""
    return tuple(replace(layer, parts=tuple(map(change, layer.parts))) for layer in layers)


def each_span(utterance: Utterance, change: Callable[[Span], Span]) -> tuple[Layer, ...]:
    """Return the layers of an utterance with spans that went through `change`, in order."""

    def over(part: Part) -> Part:
        return replace(part, spans=tuple(map(change, part.spans))) if part.spans else part

    return each_part(utterance.layers, over)
