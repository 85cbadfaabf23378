"""A 5-gram model with interpolated Kneser-Ney smoothing, and a model of replies by it.

Kneser and Ney 1995; Chen and Goodman 1999, section 2.7; with one discount for each order,
D = n1 / (n1 + 2 n2), where n1 and n2 are the numbers of n-grams that occur once and twice (Ney,
Essen and Kneser 1994). Lower orders count the contexts in which an n-gram occurs. The first
occurrence of each word is counted as an unknown word; unknown words are one class.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dialoom.dialogue import NextReply, Prediction, Question
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, known, need

ORDER = 5
"""Length of the longest n-gram, in words."""

MOST = 5_000_000
"""Most distinct n-grams, some 150 bytes each; later ones are not learnt."""

WORDS = 1 << 20
"""Most distinct words; later ones stay unknown."""

_BITS = 20
"""Bits of a word's number in an n-gram, which is one number: its last word is in the lowest."""

_UNKNOWN, _START, _END = range(3)

_STARTS = sum(_START << _BITS * place for place in range(ORDER - 1))
"""The context of an utterance's first word."""


class NgramModel:
    """An interpolated Kneser-Ney model of utterances.

    It has to be frozen after learning, before it gives probabilities.
    """

    def __init__(self) -> None:
        self._words: dict[str, int] = {}
        self._seen: Counter[int] = Counter()
        self._orders: list[_Order] = []

    def learn(self, words: Iterable[str], before: Sequence[str] = ()) -> None:
        """Count the n-grams of an utterance; the last words `before` are its context."""
        for gram in _grams(self._numbers(words), self._context(before)):
            if len(self._seen) < MOST or gram in self._seen:
                self._seen[gram] += 1

    def _numbers(self, words: Iterable[str]) -> Iterator[int]:
        index = self._words
        for word in words:
            number = index.get(word)
            if number is None:
                number = _UNKNOWN
                if len(index) < WORDS - _END - 1:
                    index[word] = len(index) + _END + 1
            yield number

    def _context(self, before: Sequence[str]) -> int:
        context = _STARTS
        for word in before[1 - ORDER :]:
            context = _moved(context, self._words.get(word, _UNKNOWN))
        return context

    def knows(self, word: str) -> bool:
        """True if a word was learnt."""
        return word in self._words

    def freeze(self) -> None:
        """Compute counts and discounts of all orders; nothing can be learnt afterwards."""
        counts, self._orders = self._seen, []
        for order in range(ORDER, 0, -1):
            self._orders.append(_Order.of(counts))
            mask = (1 << _BITS * (order - 1)) - 1
            counts = Counter(gram & mask for gram in counts)
        self._seen = Counter()

    def bits(self, words: Iterable[str], before: Sequence[str] = ()) -> tuple[float, int, int]:
        """Return the information (bits) of an utterance after words `before`.

        It is minus the binary logarithm of its probability; then the number of words with the end,
        and the number of unknown words.
        """
        numbers = [self._words.get(word, _UNKNOWN) for word in words]
        grams = _grams(numbers, self._context(before))
        bits = -math.fsum(math.log2(self._probability(gram)) for gram in grams)
        return bits, len(numbers) + 1, numbers.count(_UNKNOWN)

    def following(self, words: Iterable[str]) -> dict[str | None, float]:
        """Return word to its probability after given words of an utterance.

        The key None is the utterance's end, "" any unknown word. The probabilities add up to 1.
        """
        context = [*_grams(self._words.get(word, _UNKNOWN) for word in words)][-1] - _END
        numbers = [("", _UNKNOWN), (None, _END), *self._words.items()]
        return {word: self._probability(context + number) for word, number in numbers}

    def _probability(self, gram: int) -> float:
        chance, weight = 0.0, 1.0
        for place, order in enumerate(self._orders):
            suffix = gram & ((1 << _BITS * (ORDER - place)) - 1)
            total = order.totals.get(suffix >> _BITS)
            if total is None:
                continue
            count = order.counts.get(suffix, 0)
            chance += weight * max(count - order.discount, 0.0) / total
            weight *= order.discount * order.kinds[suffix >> _BITS] / total
        return chance + weight / (len(self._words) + 2)  # any word, the end, an unknown one


@dataclass(frozen=True, slots=True)
class _Order:
    """The counts of the n-grams of one length.

    Below the highest order, counts are numbers of contexts. `totals` and `kinds` map contexts to
    the sum of counts and to the number of distinct next words.
    """

    counts: Counter[int]
    totals: Counter[int]
    kinds: Counter[int]
    discount: float

    @classmethod
    def of(cls, counts: Counter[int]) -> _Order:
        totals: Counter[int] = Counter()
        kinds: Counter[int] = Counter()
        for gram, count in counts.items():
            totals[gram >> _BITS] += count
            kinds[gram >> _BITS] += 1
        many = Counter(counts.values())
        once, twice = many[1], many[2]
        return cls(counts, totals, kinds, once / (once + 2 * twice) if once else 0.5)


def _grams(numbers: Iterable[int], context: int = _STARTS) -> Iterator[int]:
    """Yield the n-gram that ends in each word of an utterance and in its end."""
    for number in (*numbers, _END):
        yield context << _BITS | number
        context = _moved(context, number)


def _moved(context: int, number: int) -> int:
    return (context << _BITS | number) & ((1 << _BITS * (ORDER - 1)) - 1)


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
        tokens = list(before)
        for _ in range(LONGEST):
            longest = min(ORDER - 1, len(tokens))
            contexts = (tuple(tokens[len(tokens) - size :]) for size in range(longest, -1, -1))
            word = next(self._next[each] for each in contexts if each in self._next)
            if word == END:
                return
            yield word
            tokens.append(word)

    def log_likelihoods(
        self, questions: Questions, answers: list[str], schemas: Schemas
    ) -> list[float]:
        """Return the logarithm (nats) of the probability of an answer to each question."""
        return [self._log(*pair) for pair in zip(questions, answers, strict=True)]

    def _log(self, question: Question[Any], answer: str) -> float:
        model, words = known(self._words), _WORD.findall(answer)
        bits = model.bits(words, _before(question))[0]
        spelling = (known(self._letters).bits(word)[0] for word in words if not model.knows(word))
        return -math.log(2) * (bits + sum(spelling))


def _before(question: Question[Any]) -> list[str]:
    spoken = [utterance.text for utterance in question.utterances]
    return [*(_WORD.findall(spoken[-1]) if spoken else ())[2 - ORDER :], START]


def _steps(before: Sequence[str], words: Sequence[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each context of each word of a reply, of every length, with the word."""
    tokens = [*before, *words, END]
    for place in range(len(before), len(tokens)):
        for size in range(min(ORDER - 1, place) + 1):
            yield tuple(tokens[place - size : place]), tokens[place]
