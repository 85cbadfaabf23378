"""Conditional random fields: the same texts make the same field, whatever was trained before."""

from __future__ import annotations

from random import Random

from dialoom.learn.crf import OUT, tagger, train

DRAW = Random(0)
WORDS = [[f"word-{DRAW.randrange(40)}" for _ in range(8)] for _ in range(60)]
ROWS = [[[word, word[-1]] for word in words] for words in WORDS]
LABELS = [["B-x" if word[-1] in "05" else OUT for word in words] for words in WORDS]


def test_it_does_not_depend_on_fields_trained_before() -> None:
    first = train(ROWS, LABELS)
    train(ROWS[:20], LABELS[:20])
    assert train(ROWS, LABELS) == first
    assert tagger(first).tag([["word-15", "5"], ["word-7", "7"]]) == ["B-x", OUT]


def test_texts_without_labels_make_none() -> None:
    assert train(ROWS[:2], [[OUT] * 8] * 2) == b""
