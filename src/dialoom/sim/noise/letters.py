"""Noise in the letters and marks of a text: typos, another case, no punctuation at the end.

A typo is a letter that becomes one whose key touches its own. The GEM benchmark's perturbation, at
0.02 and 0.05 a character, draws from a hand-written list that has letters as their own neighbours,
so that some draws change nothing; here each draw changes one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Draw, Edit, TextKind

_FINAL = re.compile(r"[.!?…,;:。．！？；：，、؟۔।‼⁇⁈⁉]+(?=\s*\Z)")
_BEGINNING = re.compile(r"(?:\A|[.!?…。！？]\s)\W*")

Case = Callable[[str], Iterator[str]]
"""Gives each letter of a text in its new case; one letter may become several."""


def mistyped(text: str, spans: Sequence[Span], draw: Draw) -> Iterator[Edit]:
    """Yield the letters that are mistyped; characters that have no key in the rows stay."""
    neighbours = draw.speech.neighbours
    for place in draw.rng.hits(len(text), draw.rate):
        if near := neighbours.get(text[place]):
            yield Edit(place, place + 1, draw.rng.choice(near))


def unmarked(text: str, spans: Sequence[Span], draw: Draw) -> Iterator[Edit]:
    """Yield the final marks, all of them at once."""
    mark = _FINAL.search(text)
    if mark and draw.rng.happens(draw.rate):
        yield Edit(mark.start(), mark.end(), "")


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


def recased(
    text: str, spans: Sequence[Span], draw: Draw, *, cases: Sequence[Case]
) -> Iterator[Edit]:
    """Yield the letters that change in one of the cases, drawn for the utterance."""
    if draw.rng.happens(draw.rate):
        case = draw.rng.choice(cases)
        for place, (old, new) in enumerate(zip(text, case(text), strict=True)):
            if old != new:
                yield Edit(place, place + 1, new)


def _casing(name: str, *cases: Case) -> TextKind:
    return TextKind(name, "utterances", 1.0, partial(recased, cases=cases))


TYPOS = TextKind("typos", "letters", 0.05, mistyped)
PUNCTUATION = TextKind("punctuation", "utterances", 1.0, unmarked)
CASING = _casing("casing", lower, upper, sentence)
LOWER, UPPER = _casing("casing-lower", lower), _casing("casing-upper", upper)
SENTENCE = _casing("casing-sentence", sentence)
"""The kinds under their names in the registry."""
