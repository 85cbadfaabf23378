"""What a model is asked, and what it answers.

A question is not a dialogue: it points at one event of one, and the model may read only what came
before. The benchmark hands the model a dialogue that ends there.
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.dialogue import Dialogue
from dialoom.dialogue.event import Event


class Question(Struct, frozen=True):
    """Which system action comes at index `event` of `dialogue`, which follows `task`?"""

    dialogue: Dialogue
    event: int
    task: str

    @property
    def history(self) -> tuple[Event, ...]:
        """The events before the one asked for: all that a model may read."""
        return self.dialogue.events[: self.event]


class Prediction(Struct, frozen=True):
    """A model's answer: the best value, and every candidate it weighed, best first."""

    value: str
    ranking: tuple[tuple[str, float], ...] = ()


class Example(Struct, frozen=True):
    """A question with its right answer: what a model is fitted on."""

    question: Question
    label: str
