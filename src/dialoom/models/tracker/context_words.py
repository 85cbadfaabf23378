"""Hashed features of a value span with its context and of an utterance, for pair scorers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np

from dialoom.learn.crf import TokenSpan
from dialoom.learn.words import Codes, beginnings, code, shape, stem, tokens
from dialoom.models.tracker.turns import Speech

LEFT, RIGHT = 6, 4
"""Most words before and after a span that count as its context."""

_NEAR = 3
"""Words before a span with a feature by position; other words than a span's in a short answer."""


def question(speech: Speech) -> Sequence[str]:
    """Return the roots of an utterance's last question; of its last sentence if it has none."""
    stems = speech.stems
    marks = [n for n, word in enumerate(stems) if word in ".?!"]
    asked = [n for n in marks if stems[n] == "?"]
    end = asked[-1] if asked else len(stems)
    start = max((n + 1 for n in marks if n < end - 1), default=0)
    return speech.roots[start:end]


def span_context(speech: Speech, place: TokenSpan, before: Sequence[str]) -> Codes:
    """Return hashed features of a value span and its context: shape (features,).

    They are the kind, length, stems and shapes of the span, the three words before and the two
    after it by position, the bigram before it, bags of the words before, after and in the question,
    and whether the utterance has hardly any other words. `before` has the roots of the question
    before it.
    """
    stems, (start, end, kind, _) = speech.roots, place
    said = [("kind", kind), ("long", str(min(end - start, 4)))]
    for away in range(1, _NEAR + 1):
        said.append((f"-{away}", stems[start - away] if start >= away else ""))
    for n in range(end, min(end + 2, len(stems))):
        said.append((f"+{n - end}", stems[n]))
    if start > 1:
        said.append(("-21", f"{stems[start - 2]} {stems[start - 1]}"))
    said += [("b", word) for word in stems[max(0, start - LEFT) : start]]
    said += [("a", word) for word in stems[end : end + RIGHT]]
    said += [("v", speech.stems[n]) for n in range(start, end)]
    said += [("s", shape(speech.words[n])) for n in range(start, min(end, start + 2))]
    said += [("q", word) for word in before]
    if end - start >= len(stems) - _NEAR:
        said.append(("alone", ""))
    return _codes(said)


def nearby_words(speech: Speech, place: TokenSpan) -> frozenset[str]:
    """Return the roots and shorter prefixes of the stems around a span."""
    before = speech.stems[max(0, place.start - LEFT) : place.start]
    found = (*before, *speech.stems[place.end : place.end + RIGHT])
    return frozenset(root for stem in found for root in beginnings(stem))


@cache
def text_codes(value: str) -> Codes:
    """Return hashed features of a value's text: words, length, shapes and ending."""
    words = [word for word, _, _ in tokens(value)]
    said = [("", ""), ("is", value.lower()), ("long", str(min(len(words), 5)))]
    said += [("v", stem(word)) for word in words]
    said += [("s", shape(word)) for word in words[:3]]
    said += [("e", word[-3:].lower()) for word in words[-1:]]
    return _codes(said)


def utterance_context(speech: Speech, before: Sequence[str]) -> Codes:
    """Return hashed features of an utterance: shape (features,).

    They are a bias, unigrams and bigrams of roots, the first root, the length, and the roots of the
    question `before` it.
    """
    stems = speech.roots
    said = [("", ""), *(("w", word) for word in stems)]
    said += [("ww", f"{one} {other}") for one, other in pairwise(stems)]
    said += [("q", word) for word in before]
    if stems:
        said.append(("1", stems[0]))
        said.append(("long", str(min(len(stems) // 3, 6))))
    return _codes(said)


def _codes(said: Sequence[tuple[str, str]]) -> Codes:
    return np.array([code(word, mark) for mark, word in dict.fromkeys(said)], dtype=np.uint64)
