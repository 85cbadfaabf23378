"""An agent that says what a test wrote down."""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import (
    GOLD,
    USER,
    Act,
    Event,
    Layer,
    Part,
    Utterance,
)

HIDDEN = (Layer(GOLD, (Part(None, (Act("give_time"),)),)),)


class Scripted:
    """Says its lines one after another, and notes what it saw."""

    def __init__(self, *lines: tuple[Event, ...]) -> None:
        self.lines = list(lines)
        self.seen: list[tuple[Event, ...]] = []

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        self.seen.append(tuple(events))
        return self.lines.pop(0) if self.lines else ()


def says(agent: str, text: str) -> tuple[Event, ...]:
    return (Utterance(agent=agent, text=text, layers=HIDDEN if agent == USER else ()),)
