"""Conditional random fields: the same texts make the same field, whatever was trained before."""

from __future__ import annotations

import pickle
from random import Random

from dialoom.learn.crf import OUT, RandomField, TokenSpan

DRAW = Random(0)
WORDS = [[f"word-{DRAW.randrange(40)}" for _ in range(8)] for _ in range(60)]
ROWS = [[[word, word[-1]] for word in words] for words in WORDS]
LABELS = [["B-x" if word[-1] in "05" else OUT for word in words] for words in WORDS]


def test_it_does_not_depend_on_fields_trained_before() -> None:
    first = RandomField(ROWS, LABELS)
    RandomField(ROWS[:20], LABELS[:20])
    assert RandomField(ROWS, LABELS).bytes == first.bytes
    again = pickle.loads(pickle.dumps(first))
    assert again.tag([["word-15", "5"], ["word-7", "7"]]) == ["B-x", OUT]


def test_it_says_which_words_it_doubts() -> None:
    field = RandomField(ROWS, LABELS)
    words = [["word-15", "5"], ["word-7", "7"]]
    labels = field.tag(words)
    assert field.read(words, sure=0.0) == (labels, [])
    assert field.read(words, sure=0.5) == (labels, [TokenSpan(0, 1, "x")])
    assert field.read(words, sure=1.1) == (labels, [TokenSpan(0, 2, "x")])
    assert field.read([], sure=1.1) == ([], [])


def test_texts_without_labels_make_none() -> None:
    none = RandomField(ROWS[:2], [[OUT] * 8] * 2)
    assert none.bytes == b""
    assert none.tag(ROWS[0]) == [OUT] * 8
    assert none.read(ROWS[0], sure=1.1) == ([OUT] * 8, [])
