"""What a model is: fitted on examples, then asked questions, with the task schemas at hand.

A model is its settings: `settings` rebuilds it, and goes into the signature of every score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from dialoom.dialogue import Example, Prediction, Question
from dialoom.schema.task import TaskSchema


class Model(Protocol):
    """Answers questions about dialogues.

    `predict` gets dialogues that end where the question is asked; the tasks it is asked about may
    be absent from the examples it was fitted on, and are then known from their schemas alone.
    """

    name: str

    @property
    def settings(self) -> dict[str, Any]:
        """What rebuilds this model; defaults left out."""

    def fit(self, examples: Sequence[Example], schemas: Mapping[str, TaskSchema]) -> None:
        """Learn from examples; replaces what was learnt before."""

    def predict(
        self, questions: Sequence[Question], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction]:
        """Answer each question, in order."""
