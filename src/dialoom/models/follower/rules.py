"""Rules laid over the learnt scores: what only the flow of the task itself can tell.

A task that reads out lists may be the only one that does, so nothing can be learnt about it from
others; the same goes for replies that a result cannot fill. Each rule can be left out by name.
"""

from __future__ import annotations

from collections.abc import Callable

from dialoom.models.follower.choice import Choice
from dialoom.models.follower.likeness import Vector
from dialoom.models.follower.program import CUSTOM

ABOVE = 1.0
"""By how much a rule's action is put above the best other one."""


def read_out(choice: Choice, scores: Vector) -> Vector:
    """Put the next step of a list that is being read out first."""
    found = scores.copy()
    for action in choice.spent:
        found[choice.actions.index(action)] = scores.min() - ABOVE
    if choice.step is None:
        return found
    found[choice.actions.index(choice.step)] = scores.max() + ABOVE
    return found


def own_words(choice: Choice, scores: Vector) -> Vector:
    """Let the system's own words stand for each reply that the last result cannot fill."""
    if not choice.unsayable or CUSTOM not in choice.actions:
        return scores
    found = scores.copy()
    custom = choice.actions.index(CUSTOM)
    for action in choice.unsayable:
        place = choice.actions.index(action)
        found[custom] = max(found[custom], scores[place])
        found[place] = scores.min() - ABOVE
    return found


RULES: dict[str, Callable[[Choice, Vector], Vector]] = {
    "own_words": own_words,
    "read_out": read_out,
}
"""The rules by name, in the order they are applied."""
