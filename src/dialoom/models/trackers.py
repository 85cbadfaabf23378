"""Trivial state trackers: what any other must beat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dialoom.dialogue import Example, Prediction, Question, State, StateOf
from dialoom.models.base import Kinds
from dialoom.schema.task import TaskSchema


@dataclass
class EmptyState:
    """Answers that nothing is wanted of any service."""

    name: ClassVar[str] = "empty"
    kinds: ClassVar[Kinds] = (StateOf,)

    def fit(
        self, examples: Sequence[Example[Any, dict[str, State]]], schemas: Mapping[str, TaskSchema]
    ) -> None:
        """Learn nothing."""

    def predict(
        self, questions: Sequence[Question[StateOf]], schemas: Mapping[str, TaskSchema]
    ) -> list[Prediction[dict[str, State]]]:
        """Answer each question with empty states."""
        return [
            Prediction({name: State(intent="NONE") for name in question.asked.services})
            for question in questions
        ]
