"""The prompt of NextCall: the system's next call with its constraints."""

from __future__ import annotations

from typing import Any, ClassVar

from dialoom.dialogue import Constraint, NextCall, Prediction, Query, Question
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.constraint import Operator
from dialoom.errors import clip
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Shape, Tokens, UnreadableError

Single = str | int | float | bool


class GivenParameter(Shape, frozen=True):
    """A parameter of a call; several values with the operator one_of alone."""

    parameter: str
    operator: Operator
    values: list[Single]


class CallAnswer(Shape, frozen=True):
    """A call; the name is empty where the system makes none."""

    call: str
    parameters: list[GivenParameter]


class CallPrompt(Prompt):
    """Asks for the system's next call."""

    kind: ClassVar[type[Struct]] = NextCall
    shape: ClassVar[type[Shape]] = CallAnswer
    sample: ClassVar[Shape] = CallAnswer(
        "search",
        [GivenParameter("area", "equal", ["north"]), GivenParameter("stars", "at_least", [3])],
    )
    instruction: ClassVar[str] = (
        "You are given a task with its calls of a knowledge base, and the dialogue so far. Write "
        "the call that the system makes next, with the parameters that the dialogue gives it; if "
        "the system makes none, the name of the call is empty."
    )
    calls: ClassVar[bool] = True

    def write(self, question: Question[Any], answer: Query) -> Shape:
        """Return a call."""
        given = [
            GivenParameter(each.slot, each.operator, [v for v in each.values if v is not None])
            for each in answer.constraints
            if each.operator is not None
        ]
        return CallAnswer(answer.api, given)

    def read(self, question: Question[Any], given: CallAnswer, tokens: Tokens) -> Any:
        """Return the call, which must be one of the task's, if there are any."""
        task = self.schemas.get(question.asked.task)
        known = list(task.calls) if task is not None else []
        if given.call and known and given.call not in known:
            raise UnreadableError(f"call {clip(given.call)!r} is none of {', '.join(known)}")
        constraints = tuple(
            Constraint(each.parameter, each.operator, tuple(each.values))
            for each in given.parameters
        )
        return Prediction(Query(id="", api=given.call, constraints=constraints))

    def unreadable(self, question: Question[Any]) -> Query:
        """Return a call that no task has."""
        return Query(id="", api=UNREADABLE)
