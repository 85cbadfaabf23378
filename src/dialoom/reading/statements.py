"""What a turn of the system states that nobody said and no call returned.

for place in unfounded(task, text, turn, known):
    place[0].slot, place[0].value     # ("time", "20:00"), where the user said seven
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from dialoom.reading.turn import SpokenTurn
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import Mention, by_place, find

SURE = 0.8
"""Least confidence that a place of a text is a value at all, over all slots that it may be of."""

QUESTIONS = frozenset({"request", "greeting", "more", "out_of_scope"})
"""Functions of sentences whose values are examples, and state nothing."""


def unfounded(
    task: TaskSchema, text: str, turn: SpokenTurn, known: Collection[Any]
) -> Iterator[tuple[Mention, ...]]:
    """Yield the places of a turn that name an unknown value, each with the slots it may be of.

    Args:
        task: The task.
        text: The turn.
        turn: What it says. The values of questions state nothing.
        known: The values that were said or returned, whatever they are of.
    """
    asking = [act.text for act in turn.acts if act.asks or act.function in QUESTIONS]
    if len(asking) == len(turn.acts):
        return
    for (start, end), place in by_place(find(text, task.slots.values(), task.language)).items():
        sure = sum(mention.confidence for mention in place) >= SURE
        if sure and not any(text[start:end] in question for question in asking):
            if not any(mention.value in known for mention in place):
                yield tuple(place)
