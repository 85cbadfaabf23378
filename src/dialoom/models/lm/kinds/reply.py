"""The prompt of NextReply: the system's next utterance."""

from __future__ import annotations

from typing import Any, ClassVar

from dialoom.dialogue import NextReply, Prediction, Question
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.prompt import Prompt, Shape, Tokens, UnreadableError


class TextAnswer(Shape, frozen=True):
    """What the system says."""

    text: str


class ReplyPrompt(Prompt):
    """Asks what the system says next."""

    kind: ClassVar[type[Struct]] = NextReply
    shape: ClassVar[type[Shape]] = TextAnswer
    sample: ClassVar[Shape] = TextAnswer("For which day?")
    instruction: ClassVar[str] = (
        "You are given a task with the system's usual replies and the dialogue so far. Write what "
        "the system says next: one of the usual replies with its placeholders filled, if one fits."
    )
    flow: ClassVar[bool] = True

    def write(self, question: Question[Any], answer: str) -> Shape:
        """Return a reply."""
        return TextAnswer(answer)

    def read(self, question: Question[Any], given: TextAnswer, tokens: Tokens) -> Any:
        """Return the reply, which may not be empty."""
        text = " ".join(given.text.split())
        if not text:
            raise UnreadableError("the text is empty")
        return Prediction(text)

    def unreadable(self, question: Question[Any]) -> str:
        """Return no words."""
        return ""
