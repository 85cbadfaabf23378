"""Letters in another case: all small, all capitals, or capitals at the beginning of sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Draw, Edit, TextKind

_BEGINNING = re.compile(r"(?:\A|[.!?…。！？]\s)\W*")

Case = Callable[[str], Iterator[str]]
"""Gives each letter of a text in its new case; one letter may become several."""


def lower(text: str) -> Iterator[str]:
    """Yield every letter small."""
    return map(str.lower, text)


def upper(text: str) -> Iterator[str]:
    """Yield every letter as a capital."""
    return map(str.upper, text)


def sentence(text: str) -> Iterator[str]:
    """Yield the first letter of each sentence as a capital and the others small."""
    first = {match.end() for match in _BEGINNING.finditer(text)}
    return (c.title() if place in first else c.lower() for place, c in enumerate(text))


CASES: tuple[Case, ...] = (lower, upper, sentence)


def edits(
    text: str, spans: Sequence[Span], draw: Draw, *, cases: tuple[Case, ...] = CASES
) -> Iterator[Edit]:
    """Yield the letters that change in one of the cases, drawn for the utterance."""
    if draw.rng.happens(draw.rate):
        case = draw.rng.choice(cases)
        for place, (old, new) in enumerate(zip(text, case(text), strict=True)):
            if old != new:
                yield Edit(place, place + 1, new)


CASING = TextKind("casing", "utterances", 1.0, edits)
LOWER = TextKind("casing-lower", "utterances", 1.0, partial(edits, cases=(lower,)))
UPPER = TextKind("casing-upper", "utterances", 1.0, partial(edits, cases=(upper,)))
SENTENCE = TextKind("casing-sentence", "utterances", 1.0, partial(edits, cases=(sentence,)))
"""The kinds under their names in the registry."""
