"""The acts of an utterance in another order; those of one service stay together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from msgspec.structs import replace

from dialoom.dialogue import Part, Utterance
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.kind import Draw, each_part

T = TypeVar("T")


def scrambled(values: Sequence[T], rng: SeededRng) -> tuple[T, ...]:
    """Return values in a random order that is not the one they had, if there is another."""
    first = tuple(values)
    if all(value == first[0] for value in first[1:]):
        return first
    while True:
        order = tuple(rng.shuffle(list(first)))
        if order != first:
            return order


@dataclass(frozen=True)
class ActOrder:
    """Scrambles the acts of each part of an utterance; text, spans and states stay."""

    name: str = "order"
    place: str = "utterances"
    rate: float = 1.0

    def utterance(self, utterance: Utterance, draw: Draw) -> Utterance:
        """Return the utterance with the acts of each part in another order."""
        parts = [part for layer in utterance.layers for part in layer.parts]
        if all(len(part.acts or ()) < 2 for part in parts):
            return utterance
        if not draw.rng.happens(draw.rate):
            return utterance

        def change(part: Part) -> Part:
            return replace(part, acts=scrambled(part.acts, draw.rng)) if part.acts else part

        return replace(utterance, layers=each_part(utterance.layers, change))


ORDER = ActOrder()
"""The kind under its name in the registry."""
