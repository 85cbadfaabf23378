"""The prompt of NextCall: the system's next call with its constraints."""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import SYSTEM, Constraint, NextCall, Prediction, Query, Question
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Tokens, UnreadableError


class CallAnswer(Struct, frozen=True):
    """A call; the name is empty where the system makes none."""

    api: str
    constraints: tuple[Constraint, ...] = ()


class CallPrompt(Prompt):
    """Asks for the system's next call."""

    kind = NextCall
    answer = CallAnswer
    sample = CallAnswer(
        "search", (Constraint("area", "equal", ("north",)), Constraint("stars", "at_least", (3,)))
    )
    wrong = Query(id="", api=UNREADABLE)
    instruction = (
        "You are given a task with its calls of a knowledge base, and the dialogue so far. Write "
        "the call that the system makes next, with the constraints that the dialogue gives it; if "
        "the system makes none, its name (api) is empty. Operators are equal, one_of, at_least, "
        "at_most, less, greater, contains, contains_not, not."
    )
    agents = (SYSTEM,)
    calls = True

    def write(self, question: Question[Any], answer: Query) -> CallAnswer:
        """Return name and constraints."""
        return CallAnswer(answer.api, answer.constraints)

    def read(
        self, question: Question[Any], answer: CallAnswer, tokens: Tokens
    ) -> Prediction[Query]:
        """Return the call, which must be one of the task's, if there are any."""
        task = self.schemas.get(question.asked.task)
        if answer.api and task is not None and task.calls and answer.api not in task.calls:
            known = ", ".join(task.calls)
            raise UnreadableError(f"call {clip(answer.api)!r} is none of {known}")
        return Prediction(Query(id="", api=answer.api, constraints=answer.constraints))
