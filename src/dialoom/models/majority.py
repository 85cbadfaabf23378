"""The majority baseline: the most frequent label that the task allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dialoom.dialogue import Example, Prediction, Question
from dialoom.errors import UsageError
from dialoom.schema.task import TaskSchema


class Majority:
    """Answers every question with the label seen most often, alphabetical order breaking ties."""

    name = "majority"

    def __init__(self) -> None:
        self._ranking: tuple[tuple[str, float], ...] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """Nothing: this model has no settings."""
        return {}

    def fit(self, examples: Sequence[Example], schemas: Mapping[str, TaskSchema]) -> None:
        """Count the labels.

        Raises:
            UsageError: There are no examples.
        """
        if not examples:
            raise UsageError("nothing to learn from: no examples")
        counts = Counter(example.label for example in examples)
        ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        self._ranking = tuple((label, count / len(examples)) for label, count in ordered)

    def predict(
        self, questions: Sequence[Question], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction]:
        """Answer each question alike.

        Raises:
            UsageError: The model has not been fitted.
        """
        if not self._ranking:
            raise UsageError("a model must be fitted before it predicts")
        return [Prediction(self._ranking[0][0], self._ranking) for _ in questions]
