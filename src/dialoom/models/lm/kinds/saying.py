"""Prompts of NextReply and Realise, what the system says; and of InScope, a probability."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta

from dialoom.dialogue import SYSTEM, InScope, NextReply, Prediction, Question, Realise
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event_lines import describe_act
from dialoom.models.lm.prompt import Prompt, Tokens, UnreadableError


class ReplyPrompt(Prompt):
    """Asks what the system says next."""

    kind: ClassVar[type[Struct]] = NextReply
    answer = str
    sample = "For which day?"
    wrong = ""
    instruction = (
        "You are given a task with the system's usual replies and the dialogue so far. Write what "
        "the system says next: one of the usual replies with its placeholders filled, if one fits."
    )
    agents = (SYSTEM,)
    flow = True

    def read(self, question: Question[Any], answer: str, tokens: Tokens) -> Prediction[str]:
        """Return the text, which must not be blank."""
        if not answer.strip():
            raise UnreadableError("the answer is empty")
        return Prediction(answer)


class RealisePrompt(ReplyPrompt):
    """Asks for an utterance that says some acts."""

    kind = Realise
    instruction = (
        "You are given the dialogue so far and the acts that the system does next, with their "
        "values. Write the system's utterance. It says each value, and nothing else."
    )
    flow = False

    def asked(self, question: Question[Any]) -> str:
        """Return the acts, each with its service."""
        acts = (f"- {each.service or ''} {describe_act(each.act)}" for each in question.asked.acts)
        return "\n".join(("Acts:", *acts))


class ScopePrompt(Prompt):
    """Asks how likely the last user utterance is in scope."""

    kind = InScope
    answer = Annotated[float, Meta(ge=0, le=1)]
    sample = 0.85
    wrong = 0.5  # the metric counts the question as decided wrong
    instruction = (
        "You are given a task of the system and the dialogue so far. How probable is it, from 0 to "
        "1, that the task can help with what the user said last? It is 0 for what is out of scope."
    )
    flow = True
