"""Rules laid over the learnt scores: what only the flow of the task itself can tell.

A task that reads out lists may be the only one that does, so nothing can be learnt about it from
others; the same goes for replies that a result cannot fill. Each rule can be left out by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.models.follower.program import CUSTOM
from dialoom.models.follower.similarity import Vector


class DescribedActions(NamedTuple):
    """The actions of a task at one point of a dialogue, described.

    Attributes:
        actions: The actions, in the schema's order.
        features: A row of numbers for each.
        step: The step that a list being read out calls for, if one is.
        unsayable: Actions whose reply needs values that the last result cannot give.
        spent: Actions that a list read out to its end leaves no use for.
        branch: The action that the flow branches to on a value that the user said.
        closed: Actions that the flow branches to on another value.
        situation: What tells where the dialogue stands in its task, as words.
        heard: What the user just said, as words; empty if nobody spoke since the last action.
    """

    actions: tuple[str, ...]
    features: npt.NDArray[np.float32]
    step: str | None = None
    unsayable: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()
    branch: str | None = None
    closed: frozenset[str] = frozenset()
    situation: frozenset[str] = frozenset()
    heard: frozenset[str] = frozenset()


ABOVE = 1.0
"""By how much a rule's action is put above the best other one."""


def read_out(here: DescribedActions, scores: Vector) -> Vector:
    """Put the next step of a list that is being read out first."""
    return _put(here, scores, here.step, here.spent)


def said_value(here: DescribedActions, scores: Vector) -> Vector:
    """Take the branch of the flow that a value in the user's words leads to."""
    return _put(here, scores, here.branch, here.closed)


def _put(here: DescribedActions, scores: Vector, first: str | None, last: frozenset[str]) -> Vector:
    """Put one action above all others, and some below."""
    found = scores.copy()
    for action in last:
        found[here.actions.index(action)] = scores.min() - ABOVE
    if first is not None:
        found[here.actions.index(first)] = scores.max() + ABOVE
    return found


def own_words(here: DescribedActions, scores: Vector) -> Vector:
    """Let the system's own words stand for each reply that the last result cannot fill."""
    if not here.unsayable or CUSTOM not in here.actions:
        return scores
    found = scores.copy()
    custom = here.actions.index(CUSTOM)
    for action in here.unsayable:
        place = here.actions.index(action)
        found[custom] = max(found[custom], scores[place])
        found[place] = scores.min() - ABOVE
    return found


RULES: dict[str, Callable[[DescribedActions, Vector], Vector]] = {
    "own_words": own_words,
    "read_out": read_out,
    "said_value": said_value,
}
"""The rules by name, in the order they are applied."""
