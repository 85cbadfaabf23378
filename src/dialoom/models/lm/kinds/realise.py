"""The prompt of Realise: words for the system's acts."""

from __future__ import annotations

from typing import Any, ClassVar

from dialoom.dialogue import Question, Realise
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.kinds.reply import ReplyPrompt
from dialoom.models.lm.text import acts_text


class RealisePrompt(ReplyPrompt):
    """Asks for an utterance that says some acts."""

    kind: ClassVar[type[Struct]] = Realise
    instruction: ClassVar[str] = (
        "You are given the dialogue so far and the acts that the system does next, with their "
        "values. Write the system's utterance. It says each value, and nothing else."
    )
    flow: ClassVar[bool] = False

    def asked(self, question: Question[Any]) -> str:
        """Return the acts, each with its service."""
        acts = (f"- {each.service or ''} {acts_text((each.act,))}" for each in question.asked.acts)
        return "\n".join(("Acts:", *acts))
