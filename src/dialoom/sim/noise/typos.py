"""Typographical errors: a letter becomes one whose key touches its own.

The GEM benchmark's perturbation, at 0.02 and 0.05 a character, draws from a hand-written list that
has letters as their own neighbours, so that some draws change nothing; here each draw changes one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Draw, Edit, TextKind


def edits(text: str, spans: Sequence[Span], draw: Draw) -> Iterator[Edit]:
    """Yield the letters that are mistyped; characters that have no key in the rows stay."""
    neighbours = draw.speech.neighbours
    for place in draw.rng.hits(len(text), draw.rate):
        if near := neighbours.get(text[place]):
            yield Edit(place, place + 1, draw.rng.choice(near))


TYPOS = TextKind("typos", "letters", 0.05, edits)
"""The kind under its name in the registry."""
