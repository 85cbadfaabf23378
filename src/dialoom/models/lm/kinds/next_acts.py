"""The prompt of NextActs: what the system or the user does next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Argument,
    NextActs,
    Prediction,
    Question,
    ServiceAct,
    ServiceGoal,
)
from dialoom.dialogue.annotation import Struct
from dialoom.models.lm.prompt import UNREADABLE, Prompt, Shape, Tokens
from dialoom.schema.service import ACTS


class ActSlot(Shape, frozen=True):
    """A slot of an act with its values."""

    slot: str
    values: list[str]


class NextAct(Shape, frozen=True):
    """An act on a service, or on none."""

    service: str | None
    act: str
    arguments: list[ActSlot]


class NextActsAnswer(Shape, frozen=True):
    """The acts in order."""

    acts: list[NextAct]


class NextActsPrompt(Prompt):
    """Asks for the next acts of an agent."""

    kind: ClassVar[type[Struct]] = NextActs
    shape: ClassVar[type[Shape]] = NextActsAnswer
    sample: ClassVar[Shape] = NextActsAnswer(
        [NextAct("Hotels_1", "OFFER", [ActSlot("hotel_name", ["Alder Inn"])])]
    )
    agents: ClassVar[tuple[str, ...]] = (SYSTEM, USER)
    states: ClassVar[bool] = True
    instruction: ClassVar[str] = (
        "You are given the dialogue so far, with acts, states, calls and results. Write the acts "
        "of the next utterance, with their slots and values; a slot that is asked for has none."
    )

    def tasks(self, question: Question[Any]) -> tuple[str, ...]:
        """Return the services of the goal, else those that the dialogue is about."""
        named = {goal.service: None for goal in question.asked.goal}
        for said in question.utterances if not named else ():
            for layer in said.layers:
                named |= {part.service: None for part in layer.parts if part.service is not None}
        return tuple(name for name in named if name in self.schemas)

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots."""
        known = self.inventory.acts
        acts = [f"{name}({', '.join(slots)})" for name, slots in known.items()] or list(ACTS)
        return f"Acts: {'; '.join(acts)}"

    def asked(self, question: Question[Any]) -> str:
        """Return the speaker and its goal."""
        goals = map(_goal, question.asked.goal)
        return "\n".join((*goals, f"The {question.asked.agent} speaks next."))

    def write(self, question: Question[Any], answer: Sequence[ServiceAct]) -> Shape:
        """Return acts."""
        return NextActsAnswer(
            [
                NextAct(
                    each.service,
                    each.act.name,
                    [ActSlot(a.slot, list(map(str, a.values))) for a in each.act.arguments],
                )
                for each in answer
            ]
        )

    def read(self, question: Question[Any], given: NextActsAnswer, tokens: Tokens) -> Any:
        """Return the acts."""
        return Prediction(
            tuple(
                ServiceAct(
                    Act(each.act, tuple(Argument(a.slot, tuple(a.values)) for a in each.arguments)),
                    each.service,
                )
                for each in given.acts
            )
        )

    def unreadable(self, question: Question[Any]) -> tuple[ServiceAct, ...]:
        """Return an act that is never right."""
        return (ServiceAct(Act(UNREADABLE)),)


def _goal(goal: ServiceGoal) -> str:
    values = "; ".join(f"{slot}: {', '.join(map(str, v))}" for slot, v in goal.values.items())
    wanted = f", asks for {', '.join(goal.requests)}" if goal.requests else ""
    return f"The user's goal: {goal.service}, {', '.join(goal.intents)}; {values}{wanted}"
