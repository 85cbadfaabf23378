"""The interface of simulated users, models and scripts that take part in a dialogue.

    class Echo:
        def reply(self, events):
            return (Utterance(agent=USER, text=events[-1].text),)

Participants can take part in rooms or talk to one another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from dialoom.dialogue.event import Event


class Participant(Protocol):
    """A participant of one dialogue that is not a person."""

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        """Return the participant's next events.

        Args:
            events: All events so far, the participant's own included; each call gets those of the
                previous call and the later ones.

        Returns:
            Events of the participant, () if it has nothing to do. A user ends the dialogue with a
            Completion; a system may query first and ends its turn with an utterance.
        """
