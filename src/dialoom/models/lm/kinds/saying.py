"""Prompts of NextReply, Realise, NextCall, NextCalls, StateOf, and InScope (a probability)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta, to_builtins
from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    Constraint,
    InScope,
    NextCall,
    NextCalls,
    NextReply,
    Prediction,
    Query,
    Question,
    Realise,
    State,
    StateOf,
)
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.event_lines import describe_act
from dialoom.dialogue.spelled_calls import calls
from dialoom.errors import clip
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Tokens, UnreadableError, json_text
from dialoom.schema.service import ANYTHING, NO_INTENT


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
            names = ", ".join(task.calls)
            raise UnreadableError(f"call {clip(answer.api)!r} is none of {names}")
        return Prediction(Query(id="", api=answer.api, constraints=answer.constraints))


class FunctionCall(Struct, frozen=True):
    """A call of a function."""

    name: str
    arguments: dict[str, Any] = {}


class CallsPrompt(Prompt):
    """Asks for the calls of the system's next turn."""

    kind = NextCalls
    answer = tuple[FunctionCall, ...]
    sample = (FunctionCall("find_hotel", {"city": "Oslo", "stars": 4}),)
    wrong: ClassVar[None] = None
    instruction = (
        "You are given functions and the dialogue so far. Write all calls of functions that the "
        "system makes before it answers, in their order; a call needs no result of another one. "
        "If none of the functions helps, or values that it requires are not known, write none."
    )

    def listed(self, question: Question[Any]) -> str:
        """Return the functions."""
        return "\n".join(("Functions:", *map(json_text, question.asked.functions)))

    def write(self, question: Question[Any], answer: Sequence[Query]) -> list[FunctionCall]:
        """Return names and arguments; of several acceptable values the first."""
        functions = []
        for call in answer:
            pairs = ((each.slot, each.value) for each in call.constraints)
            arguments = {slot: value for slot, value in pairs if value != ""}
            functions.append(FunctionCall(call.api, arguments))
        return functions

    def read(
        self, question: Question[Any], answer: Sequence[FunctionCall], tokens: Tokens
    ) -> Prediction[tuple[Query, ...]]:
        """Return the calls, which must be of the functions."""
        names = [each["name"] for each in question.asked.functions]
        for name in (each.name for each in answer):
            if name not in names:
                raise UnreadableError(f"{clip(name)!r} is none of {', '.join(names)}")
        return Prediction(calls(list(map(to_builtins, answer)), "the answer"))


States = dict[str, State]


class StatePrompt(Prompt):
    """Asks for the state of services."""

    kind = StateOf
    answer = States
    sample = {"Hotels_1": State("FindHotel", ("price",), {"city": ("San Jose",)})}
    wrong: ClassVar[States] = {}  # no state is wrong for each service
    instruction = (
        "You are given services and the dialogue so far. Write the state of each service after the "
        f"last user utterance: the user's intent ({NO_INTENT} for none), the slots whose value the "
        "last utterance requests, and all values that the user gave or accepted since the "
        f"beginning, as they were said; {ANYTHING!r} is the value of a slot without a preference. "
        "Slots with listed values take one of these."
    )

    def asked(self, question: Question[Any]) -> str:
        """Return the services."""
        return f"Services: {', '.join(question.asked.services)}"

    def read(self, question: Question[Any], answer: States, tokens: Tokens) -> Prediction[States]:
        """Return the states, values as texts; each service asked about must have one."""
        states = {}
        for service in question.asked.services:
            if service not in answer:
                raise UnreadableError(f"there is no state of service {service}")
            values = {k: tuple(map(str, v)) for k, v in answer[service].values.items() if v}
            states[service] = replace(answer[service], values=values)
        return Prediction(states)
