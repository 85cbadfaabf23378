"""Prompts of Acts, those of the last utterance, and of NextActs, those of the next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Acts,
    Argument,
    NextActs,
    Question,
    Reference,
    ServiceAct,
)
from dialoom.dialogue.references import NEW
from dialoom.dialogue.views import parts
from dialoom.models.lm.kinds.frames import frames_lines
from dialoom.models.lm.prompt import UNREADABLE, Prompt
from dialoom.models.lm.text import json_text
from dialoom.schema.service import ACTS

CITY = Argument("city", ("Oslo",))

FRAMED = Act("inform", (Argument("ref", references=(Reference(2, (CITY,)),)),))


class ActsPrompt(Prompt):
    """Asks for the acts of the last utterance."""

    kind = Acts
    answer = tuple[Act, ...]
    sample = (Act("inform", (CITY,)), Act("request", (Argument("price"),)))
    wrong = (Act(UNREADABLE),)
    instruction = (
        "You are given the dialogue so far. Write the dialogue acts of the last utterance with "
        "their slots, and the values as they are said; a slot that is asked for has no value."
    )

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots."""
        return f"Acts with their slots: {self.inventory.acts_text()}"

    def asked(self, question: Question[Any]) -> str:
        """Return the utterance, and the frames if acts refer to them."""
        lines = [f"Last utterance: {question.utterances[-1].text}"]
        if self.inventory.framed:
            about = f"Each argument is given with its frame ({NEW} is a new one), in this form:"
            lines += (*frames_lines(question), about, json_text(FRAMED))
        return "\n".join(lines)


class NextActsPrompt(Prompt):
    """Asks for the next acts of an agent."""

    kind = NextActs
    answer = tuple[ServiceAct, ...]
    sample = (ServiceAct(Act("OFFER", (Argument("hotel_name", ("Alder Inn",)),)), "Hotels_1"),)
    wrong = (ServiceAct(Act(UNREADABLE)),)
    instruction = (
        "You are given the dialogue so far, with acts, states, calls and results. Write the acts "
        "of the next utterance, with their slots and values; a slot that is asked for has none."
    )
    agents = (SYSTEM, USER)

    def tasks(self, question: Question[Any]) -> Sequence[str]:
        """Return the services of the goal and of the dialogue so far."""
        said = (part.service for event in question.utterances for part in parts(event))
        goal = (each.service for each in question.asked.goal)
        return [name for name in dict.fromkeys((*goal, *said)) if name is not None]

    def listed(self, question: Question[Any]) -> str:
        """Return the acts of training with their slots, else those of SGD."""
        return f"Acts: {self.inventory.acts_text() or ', '.join(ACTS)}"

    def asked(self, question: Question[Any]) -> str:
        """Return the speaker and its goal."""
        goals = (f"The user's goal: {json_text(each)}" for each in question.asked.goal)
        return "\n".join((*goals, f"The {question.asked.agent} speaks next."))
