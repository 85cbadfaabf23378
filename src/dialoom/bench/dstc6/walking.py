"""Prints a dialogue file as plain text, as the challenge's dialogue walker does, and counts it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dialoom.bench.dstc6.items import Item

_WORD = re.compile(r"\b\w\w+\b")
"""A word as scikit-learn's vectorisers, which the challenge's script uses, define it."""


def plain(item: Item) -> Iterator[str]:
    """Yield the lines of an item: history, candidates with their ids, answer or None."""
    yield f"dialog_id: {item.id}"
    yield "Utterances:"
    yield from (f" * {line}" for line in item.history)
    yield "Candidates:"
    yield from (f" * {name} - {text}" for name, text in item.candidates)
    yield "Answer:"
    if item.answer is None:
        yield "None"
    else:
        yield f" * {item.answer} - {dict(item.candidates).get(item.answer, '')}"
    yield ""


def figures(items: Sequence[Item]) -> dict[str, object]:
    """Return the counts of a file by name; the stop words are scikit-learn's."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    utterances = sum(len(item.history) for item in items)
    texts = {line for item in items for line in item.history}
    words = {word for text in texts for word in _WORD.findall(text.lower())}
    return {
        "dialogues": len(items),
        "utterances": utterances,
        "utterances_distinct": len(texts),
        "utterances_per_dialogue": round(utterances / max(1, len(items)), 4),
        "candidates": sum(len(item.candidates) for item in items),
        "answers": sum(item.answer is not None for item in items),
        "vocabulary": len(words),
        "vocabulary_without_stop_words": len(words - ENGLISH_STOP_WORDS),
    }
