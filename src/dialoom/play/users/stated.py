"""Users of a goal that is stated, of a task without a flow.

    goals:
      - id: late-train
        turns: [My train was two hours late., I want my money back.]

The user says these turns one after the other; without any, the goal's instructions and what is
known. Then they say yes to every question, and leave at a turn of the agent that asks nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import SYSTEM, USER, Completion, Event, Utterance
from dialoom.play.users.base import UserSeat
from dialoom.schema.lexicon import lexicon

QUESTIONS = "?？؟;"
"""Marks of questions: Latin, Chinese, Arabic, Greek."""


class StatedUser:
    """Says the turns of a goal."""

    def __init__(self, seat: UserSeat) -> None:
        given = seat.given
        turns = given.turns if given is not None else ()
        self._left = list(turns or (seat.instructions,))
        self._yes = lexicon(seat.language).yes[0].capitalize()

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the next turn, else a yes to a question, else a completion."""
        if self._left:
            return (Utterance(agent=USER, text=self._left.pop(0)),)
        said = (e for e in reversed(events) if isinstance(e, Utterance))
        last = next((e.text for e in said if e.agent == SYSTEM), "")
        asked = any(mark in last for mark in QUESTIONS)
        return (Utterance(agent=USER, text=f"{self._yes}."),) if asked else (Completion(),)
