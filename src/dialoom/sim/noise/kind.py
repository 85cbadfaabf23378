"""The interface of a kind of noise: it changes an utterance's text or its acts, nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from msgspec.structs import replace

from dialoom.dialogue import Layer, Part, Span, Utterance
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.edits import Alignment, Edit, aligned, apply
from dialoom.sim.noise.speech import NoiseWords


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
        parts = [part for layer in utterance.layers for part in layer.parts]
        spans = [span for part in parts for span in part.spans or ()]
        text, moved = self.text(utterance.text, spans, draw)
        if text == utterance.text:
            return utterance
        rest = iter(moved)

        def over(part: Part) -> Part:
            if not part.spans:
                return part
            return replace(part, spans=tuple(next(rest) for _ in part.spans))

        return replace(utterance, text=text, layers=each_part(utterance.layers, over))


def each_part(layers: Iterable[Layer], change: Callable[[Part], Part]) -> tuple[Layer, ...]:
    """Return layers whose parts went through `change`, in order."""
    return tuple(replace(layer, parts=tuple(map(change, layer.parts))) for layer in layers)
