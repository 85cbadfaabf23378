"""The prompt of StateOf: the state of services after the last user utterance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from dialoom.dialogue import Prediction, Question, State, StateOf
from dialoom.dialogue.annotation import Struct
from dialoom.errors import clip
from dialoom.models.lm.prompt import Prompt, Shape, Tokens, UnreadableError
from dialoom.schema.service import ANYTHING, NO_INTENT


class SlotValue(Shape, frozen=True):
    """A slot with its value."""

    slot: str
    value: str


class ServiceStateAnswer(Shape, frozen=True):
    """The state of a service."""

    service: str
    intent: str
    requested: list[str]
    values: list[SlotValue]


class StateAnswer(Shape, frozen=True):
    """The states of all services asked about."""

    states: list[ServiceStateAnswer]


class StatePrompt(Prompt):
    """Asks for the state of services."""

    kind: ClassVar[type[Struct]] = StateOf
    shape: ClassVar[type[Shape]] = StateAnswer
    sample: ClassVar[Shape] = StateAnswer(
        [ServiceStateAnswer("Hotels_1", "FindHotel", ["price"], [SlotValue("city", "San Jose")])]
    )
    agents: ClassVar[tuple[str, ...]] = ()
    instruction: ClassVar[str] = (
        "You are given services and the dialogue so far. Write the state of each service after the "
        f"last user utterance: the user's intent ({NO_INTENT} for none), the slots whose value the "
        "last utterance requests, and all values that the user gave or accepted since the "
        f"beginning, as they were said; {ANYTHING!r} is the value of a slot without a preference. "
        "Slots with listed values take one of these."
    )

    def asked(self, question: Question[Any]) -> str:
        """Return the services."""
        return f"Services: {', '.join(question.asked.services)}"

    def write(self, question: Question[Any], answer: Mapping[str, State]) -> Shape:
        """Return states with the first variant of each value."""
        return StateAnswer(
            [
                ServiceStateAnswer(
                    service,
                    state.intent or NO_INTENT,
                    list(state.requested),
                    [
                        SlotValue(slot, str(values[0]))
                        for slot, values in state.values.items()
                        if values
                    ],
                )
                for service, state in answer.items()
            ]
        )

    def read(self, question: Question[Any], given: StateAnswer, tokens: Tokens) -> Any:
        """Return the states; each service asked about must have one."""
        found = {
            each.service: State(
                each.intent,
                tuple(each.requested),
                {pair.slot: (pair.value,) for pair in each.values},
            )
            for each in given.states
        }
        for service in question.asked.services:
            if service not in found:
                raise UnreadableError(f"there is no state of service {clip(service)}")
        return Prediction({service: found[service] for service in question.asked.services})

    def unreadable(self, question: Question[Any]) -> dict[str, State]:
        """Return no state, which is wrong for each service."""
        return {}
