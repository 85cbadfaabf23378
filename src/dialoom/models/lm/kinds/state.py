"""The prompt of StateOf: the state of services after the last user utterance."""

from __future__ import annotations

from typing import Any, ClassVar

from msgspec.structs import replace

from dialoom.dialogue import Prediction, Question, State, StateOf
from dialoom.models.lm.prompt import Prompt, Tokens, UnreadableError
from dialoom.schema.service import ANYTHING, NO_INTENT

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
        found = {}
        for service in question.asked.services:
            if service not in answer:
                raise UnreadableError(f"there is no state of service {service}")
            values = {k: tuple(map(str, v)) for k, v in answer[service].values.items() if v}
            found[service] = replace(answer[service], values=values)
        return Prediction(found)
