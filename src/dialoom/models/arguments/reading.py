"""An utterance with its history, as models of arguments read it, and its spans as word labels."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dialoom.dialogue import Question, Span
from dialoom.dialogue.annotation import TOKEN
from dialoom.schema.values import disjoint

_ENDING = re.compile(r"\.(accept|reject)$")


class HeardUtterance(NamedTuple):
    """An utterance with what was said before it.

    Attributes:
        text: The text.
        words: Its words and punctuation marks, lower-cased.
        places: Start and end of each in the text.
        before: The utterance before it; empty where there is none.
        agent: Its agent.
        history: The texts of all utterances so far, this one included.
    """

    text: str
    words: list[str]
    places: list[tuple[int, int]]
    before: str
    agent: str
    history: tuple[str, ...]


def told(question: Question[Any]) -> HeardUtterance:
    """Return the last utterance before a question."""
    spoken = question.utterances
    texts = tuple(event.text for event in spoken)
    found = list(TOKEN.finditer(texts[-1]))
    return HeardUtterance(
        texts[-1],
        [match[0].lower() for match in found],
        [match.span() for match in found],
        texts[-2] if len(texts) > 1 else "",
        spoken[-1].agent,
        texts,
    )


def words(text: str) -> tuple[str, ...]:
    """Return the words and punctuation marks of a text, lower-cased."""
    return tuple(TOKEN.findall(text.lower()))


def bare(label: str) -> str:
    """Return a label without its ending: .accept or .reject."""
    return _ENDING.sub("", label)


def ending(label: str) -> str:
    """Return the ending of a label: .accept, .reject or nothing."""
    return label[len(bare(label)) :]


def apart(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans that do not overlap: those with most labels first, then the shortest."""
    named = (span for span in spans if span.labels)
    return disjoint(sorted(named, key=lambda span: (-len(span.labels), span.end - span.start)))


def labelled(utterance: HeardUtterance, spans: Sequence[Span]) -> list[str]:
    """Return the label of each word: B- or I- with the argument's bare label, else O."""
    labels = ["O"] * len(utterance.words)
    for span in apart(spans):
        at = enumerate(utterance.places)
        inside = [n for n, (start, end) in at if start < span.end and span.start < end]
        for n in inside:
            labels[n] = f"{'B' if n == inside[0] else 'I'}-{bare(span.labels[0])}"
    return labels
