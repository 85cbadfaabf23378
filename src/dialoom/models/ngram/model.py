"""Replies by a 5-gram model: the baseline of perplexity.

The context of a reply is the last words of the utterance before it. Words keep the blank before
them, so that no character is lost; a second model, of letters, spells unknown words, so that every
text has a probability.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dialoom.dialogue import NextReply, Prediction, Question
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need
from dialoom.models.ngram.kneser_ney import ORDER, NgramModel

LONGEST = 64
"""Most words of a generated reply."""

START, END = "", "\n"
"""The marks between two utterances, and after a reply; no word equals them."""

_WORD = re.compile(r"\s?\w+|\s?[^\w\s]|\s")


@dataclass
class NgramReplies:
    """Generates replies word by word with a 5-gram model: the most frequent next word.

    The context is the longest one in training, of up to four words.
    """

    name: ClassVar[str] = "ngram"
    kinds: ClassVar[Kinds] = (NextReply,)
    _words: NgramModel | None = field(default=None, init=False, repr=False)
    _letters: NgramModel | None = field(default=None, init=False, repr=False)
    _next: dict[tuple[str, ...], str] = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the n-grams of replies, and of the letters of their words."""
        need(examples)
        self._words, self._letters = NgramModel(), NgramModel()
        followed: dict[tuple[str, ...], Counter[str]] = {}
        for example in examples:
            before, words = _before(example.question), _WORD.findall(example.answer)
            for word in dict.fromkeys(words):
                if not self._words.knows(word):
                    self._letters.learn(word)
            self._words.learn(words, before)
            for context, word in _steps(before, words):
                followed.setdefault(context, Counter())[word] += 1
        self._words.freeze()
        self._letters.freeze()
        self._next = {
            context: min(counts, key=lambda word: (-counts[word], word))
            for context, counts in followed.items()
        }

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question with a text."""
        known(self._next)
        return [Prediction("".join(self._written(_before(each))).strip()) for each in questions]

    def _written(self, before: Sequence[str]) -> Iterator[str]:
        said = list(before)
        for _ in range(LONGEST):
            longest = min(ORDER - 1, len(said))
            contexts = (tuple(said[len(said) - size :]) for size in range(longest, -1, -1))
            word = next(self._next[each] for each in contexts if each in self._next)
            if word == END:
                return
            yield word
            said.append(word)

    def log_likelihoods(
        self, questions: Questions, answers: list[str], schemas: Schemas
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of an answer to each question."""
        return [self._log(*pair) for pair in zip(questions, answers, strict=True)]

    def _log(self, question: Question[Any], answer: str) -> float:
        model, words = known(self._words), _WORD.findall(answer)
        bits = model.bits(words, _before(question))[0]
        spelled = (known(self._letters).bits(word)[0] for word in words if not model.knows(word))
        return -math.log(2) * (bits + sum(spelled))


def _before(question: Question[Any]) -> list[str]:
    """Return the last words of the utterance before a reply, followed by `START`."""
    spoken = [utterance.text for utterance in question.utterances]
    return [*(_WORD.findall(spoken[-1]) if spoken else ())[2 - ORDER :], START]


def _steps(before: Sequence[str], words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each context of each word of a reply, of every length, with the word."""
    said = [*before, *words, END]
    for place in range(len(before), len(said)):
        for size in range(min(ORDER - 1, place) + 1):
            yield tuple(said[place - size : place]), said[place]
