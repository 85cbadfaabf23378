"""Spontaneous speech: fillers, repeated words, and phrases begun again.

    I need um a table       a filler
    I need a a table        a word said twice
    I need a ta- no wait I need a table      a phrase broken off and begun again

Words are only put in, never taken out, and never inside a span: values stay as they are written.
The three forms are those of the literature on self-repair (Shriberg 1994): filled pauses,
repetitions, restarts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Draw, Edit, TextKind

LONGEST = 3
"""Most words that are repeated in a restart."""

_WORD = re.compile(r"\S+")
_EDGE = re.compile(r"^\W+|\W+$")

Words = Sequence[re.Match[str]]


def edits(text: str, spans: Sequence[Span], draw: Draw) -> Iterator[Edit]:
    """Yield the insertions before words."""
    words = list(_WORD.finditer(text))
    for place in draw.rng.hits(len(words), draw.rate):
        at = words[place].start()
        if any(span.start < at < span.end for span in spans):
            continue
        phrase = draw.rng.choice((_filler, _repetition, _restart))(words, place, draw)
        if phrase:
            yield Edit(at, at, f"{phrase} ")


def _filler(words: Words, place: int, draw: Draw) -> str:
    return draw.rng.choice(draw.speech.fillers)


def _repetition(words: Words, place: int, draw: Draw) -> str:
    return _bare(words[place])


def _restart(words: Words, place: int, draw: Draw) -> str:
    """Return a broken-off word, a repair phrase and up to `LONGEST` words before it again."""
    back = 1 + draw.rng.below(min(LONGEST, place)) if place else 0
    before = [word[0] for word in words[place - back : place]]
    word = _bare(words[place])
    if len(word) < 2 or not back:
        return _filler(words, place, draw)
    broken = word[: 1 + draw.rng.below(len(word) - 1)]
    return " ".join((f"{broken}-", draw.rng.choice(draw.speech.repairs), *before))


def _bare(word: re.Match[str]) -> str:
    return _EDGE.sub("", word[0])


DISFLUENCIES = TextKind("disfluencies", "words", 0.1, edits)
"""The kind under its name in the registry."""
