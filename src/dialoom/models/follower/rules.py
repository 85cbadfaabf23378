"""Rules that change the learnt scores by the flow of the task itself.

Only one task may read out lists, so models cannot learn this from other tasks; the same is true of
replies without values in a result. Each rule can be left out by name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.models.follower.similarity import Vector
from dialoom.schema.flow import CUSTOM


class DescribedActions(NamedTuple):
    """The actions of a task at one point of a dialogue, in the schema's order, with features.

    `features` has the shape (actions, columns). `step` is the next action of a list that is being
    read out, `spent` the useless ones afterwards; `unsayable` have placeholders without values in
    the last result. `branch` is the action for a value in the user's words, `closed` are those for
    other values. `situation` has sparse features for `experience.py`, `heard` those of the last
    user turn for `word_weights.py`.
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
"""Score by which a rule puts an action above all others, or below them."""


def read_out(here: DescribedActions, scores: Vector) -> Vector:
    """Rank the next step of a list that is being read out first."""
    return _put(here, scores, here.step, here.spent)


def said_value(here: DescribedActions, scores: Vector) -> Vector:
    """Take the branch of the flow for a value in the user's words."""
    return _put(here, scores, here.branch, here.closed)


def _put(here: DescribedActions, scores: Vector, first: str | None, last: frozenset[str]) -> Vector:
    found = scores.copy()
    for action in last:
        found[here.actions.index(action)] = scores.min() - ABOVE
    if first is not None:
        found[here.actions.index(first)] = scores.max() + ABOVE
    return found


def own_words(here: DescribedActions, scores: Vector) -> Vector:
    """Give the scores of unsayable replies to the custom reply, and rank them last."""
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
