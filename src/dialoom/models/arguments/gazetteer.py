"""The baseline for arguments: looks up the values of training, each with its commonest label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, TypeVar

from dialoom.dialogue import Prediction, Span, Spans
from dialoom.models.arguments.reading import HeardUtterance, told, words
from dialoom.models.base import Examples, Kinds, Questions, Schemas, need

T = TypeVar("T", str, tuple[str, str])

Words = tuple[str, ...]
"""The words of a value, in lower case."""


@dataclass
class Gazetteer:
    """Labels the values of training wherever they occur; the longest match counts."""

    name: ClassVar[str] = "gazetteer"
    kinds: ClassVar[Kinds] = (Spans,)
    _labels: dict[Words, str] = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the labels of each value.

        Raises:
            UsageError: There are no examples.
        """
        need(examples)
        counts: dict[Words, Counter[str]] = {}
        for example in examples:
            text = told(example.question).text
            for span in example.answer:
                counts.setdefault(words(text[span.start : span.end]), Counter()).update(span.labels)
        self._labels = {
            value: commonest(found) for value, found in counts.items() if value and found
        }

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of each question's last utterance; none before `fit`."""
        longest = max(map(len, self._labels), default=0)
        return [Prediction(tuple(self._spans(told(each), longest))) for each in questions]

    def _spans(self, utterance: HeardUtterance, longest: int) -> Iterator[Span]:
        places = utterance.places
        for start, end in matches(utterance.words, self._labels, longest):
            label = self._labels[tuple(utterance.words[start:end])]
            yield Span(places[start][0], places[end - 1][1], (label,))


def commonest(counts: Counter[T]) -> T:
    """Return what was counted most often; of several, the first in order."""
    return min(counts, key=lambda each: (-counts[each], each))


def matches(
    words: Sequence[str], values: Collection[Words], longest: int
) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each value among words, the longest one at each place.

    Args:
        words: The words.
        values: The values that are looked for.
        longest: Number of words of the longest value.
    """
    start = 0
    while start < len(words):
        ends = range(min(len(words), start + longest), start, -1)
        end = next((end for end in ends if tuple(words[start:end]) in values), None)
        if end is not None:
            yield start, end
        start = end or start + 1
