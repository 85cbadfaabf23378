"""The baseline for arguments: looks up the values of training, each with its commonest label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import Prediction, Span, Spans
from dialoom.learn.heard import HeardText, Words, commonest, heard, matches, words
from dialoom.learn.model import Examples, Kinds, Questions, Schemas, need


@dataclass
class Gazetteer:
    """Labels the values of training wherever they occur; the longest match counts."""

    name: ClassVar[str] = "gazetteer"
    kinds: ClassVar[Kinds] = (Spans,)
    _labels: dict[Words, str] = field(default_factory=dict, init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the labels of each value."""
        need(examples)
        counts: dict[Words, Counter[str]] = {}
        for example in examples:
            text = heard(example.question).text
            for span in example.answer:
                counts.setdefault(words(text[span.start : span.end]), Counter()).update(span.labels)
        self._labels = {
            value: commonest(found) for value, found in counts.items() if value and found
        }

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[tuple[Span, ...]]]:
        """Return the spans of each question's last utterance; none before `fit`."""
        return [Prediction(tuple(self._spans(heard(each)))) for each in questions]

    def _spans(self, utterance: HeardText) -> Iterator[Span]:
        for start, end in matches(utterance.words, self._labels):
            label = self._labels[tuple(utterance.words[start:end])]
            yield Span(*utterance.span(start, end), (label,))
