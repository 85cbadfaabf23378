"""The majority baseline: the most frequent label of training."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from dialoom.dialogue import NextAction, Prediction
from dialoom.models.base import Examples, Kinds, Questions, Schemas, known, need


@dataclass
class Majority:
    """Answers every question with the label seen most often, alphabetical order breaking ties."""

    name: ClassVar[str] = "majority"
    kinds: ClassVar[Kinds] = (NextAction,)
    _ranking: tuple[tuple[str, float], ...] = field(default=(), init=False, repr=False)

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        """Count the labels.

        Raises:
            UsageError: There are no examples.
        """
        need(examples)
        counts = Counter(example.answer for example in examples)
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        self._ranking = tuple((label, count / len(examples)) for label, count in ordered)

    def predict(self, questions: Questions, schemas: Schemas) -> list[Prediction[str]]:
        """Answer each question alike.

        Raises:
            UsageError: The model has not been fitted.
        """
        known(self._ranking)
        return [Prediction(self._ranking[0][0], self._ranking) for _ in questions]
