"""The prompt of InScope: the probability that the task can help with the last utterance."""

from __future__ import annotations

from typing import Any, ClassVar

from dialoom.dialogue import InScope, Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.prompt import Prompt, Shape, Tokens, UnreadableError


class ScopeAnswer(Shape, frozen=True):
    """The probability of being in scope, 0 to 1."""

    probability: float


class ScopePrompt(Prompt):
    """Asks how likely the last user utterance is in scope."""

    kind: ClassVar[type[Struct]] = InScope
    shape: ClassVar[type[Shape]] = ScopeAnswer
    sample: ClassVar[Shape] = ScopeAnswer(0.85)
    instruction: ClassVar[str] = (
        "You are given a task of the system and the dialogue so far. How probable is it, from 0 to "
        "1, that the task can help with what the user said last? It is 0 for what is out of scope."
    )
    flow: ClassVar[bool] = True

    def write(self, question: Question[Any], answer: float) -> Shape:
        """Return a probability."""
        return ScopeAnswer(float(answer))

    def read(self, question: Question[Any], given: ScopeAnswer, tokens: Tokens) -> Any:
        """Return the probability."""
        if not 0 <= given.probability <= 1:
            raise UnreadableError(f"{given.probability} is no probability from 0 to 1")
        return Prediction(given.probability)

    def unreadable(self, question: Question[Any]) -> float:
        """Return even odds; the metric counts the question as decided wrong."""
        return 0.5
