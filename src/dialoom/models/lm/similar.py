"""The examples of training that are most like a question, by the words of the last turns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dialoom.dialogue import Example, Question, Realise
from dialoom.models.base import Examples
from dialoom.models.candidates import text_of
from dialoom.models.lm.text import acts_text
from dialoom.schema.lexicon import words

LAST = 3
"""How many of the last events are compared."""


class SimilarExamples:
    """Finds examples whose last turns share rare words with a question's.

    The score is the sum of the inverse document frequencies of the words in common, divided by the
    root of the number of the example's words. At most one example of a dialogue is taken; of equal
    ones, the first of training.

    Args:
        examples: The examples of training.
    """

    def __init__(self, examples: Examples) -> None:
        self._examples = examples
        self._places: dict[str, list[int]] = {}
        self._lengths = []
        for place, example in enumerate(examples):
            gist = _gist(example.question)
            self._lengths.append(math.sqrt(len(gist)) or 1.0)
            for word in gist:
                self._places.setdefault(word, []).append(place)

    def most_like(self, question: Question[Any], number: int) -> list[Example[Any, Any]]:
        """Return so many examples, the least similar first: the most similar is read last."""
        scores: Counter[int] = Counter()
        for word in sorted(_gist(question)):
            found = self._places.get(word, ())
            weight = math.log(len(self._examples) / len(found)) if found else 0.0
            for place in found if weight else ():
                scores[place] += weight / self._lengths[place]  # type: ignore[assignment]
        order = sorted(scores, key=lambda place: (-scores[place], place))
        return self._first(order, number)[::-1]

    def _first(self, order: Sequence[int], number: int) -> list[Example[Any, Any]]:
        chosen: dict[int, Example[Any, Any]] = {}
        for place in (*order, *range(len(self._examples))):
            if len(chosen) == number:
                break
            example = self._examples[place]
            chosen.setdefault(id(example.question.dialogue), example)
        return list(chosen.values())


def _gist(question: Question[Any]) -> frozenset[str]:
    said = " ".join(map(text_of, question.history[-LAST:]))
    if isinstance(question.asked, Realise):
        said = acts_text([each.act for each in question.asked.acts])
    return frozenset(words(said))
