"""Whoever takes part in a dialogue without being a person: replies to what happened so far.

    class Echo:
        def reply(self, events):
            return (Utterance(agent=USER, text=events[-1].text),)

The simulated user, a model that plays the system, a language model and a script are all of this
shape, so that any of them can take a seat in a room (dialoom.collect) or play against another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dialoom.dialogue.event import Event


class Participant(Protocol):
    """Takes its turns in one dialogue."""

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return what the participant does now.

        Args:
            events: All that has happened, with the participant's own replies; each call gets the
                events of the call before and those that came since.

        Returns:
            Events of the participant; a user ends with a Completion, a system may query first and
            ends with an utterance. Nothing where it has nothing to do.
        """
