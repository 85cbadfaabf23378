"""Rules that change the learnt scores by the flow of the task itself, such as its branches.

Only one task may read out lists, so models cannot learn this from other tasks; the same is true of
replies without values in a result. Each rule can be left out by name.

A branch may depend on a value of the last result that the user said: in a quiz, the node "My answer
is [ANSWER]" leads to praise, the node "My answer is [WRONG_ANSWER]" to a correction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.similarity import Vector, fits_result
from dialoom.schema.flow import CUSTOM
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.template import PLACE


def value_match(condition: str, progress: DialogueProgress) -> float:
    """Return how many values of a condition the user said as required, minus the others."""
    return sum(1.0 if need == present else -1.0 for need, present in _values(condition, progress))


def _values(condition: str, progress: DialogueProgress) -> Iterator[tuple[bool, bool]]:
    """Yield for each placeholder whether it requires the item's value, and was said.

    A placeholder with the name of an attribute of the item requires its value; one with more words
    ([WRONG_ANSWER] for `Answer`) requires another value.
    """
    for place in PLACE.findall(condition):
        for key, value in (progress.item or {}).items():
            parts, name = split_name(key), split_name(place)
            if isinstance(value, str | int | float) and set(parts) <= set(name):
                yield (
                    parts == name,
                    _plain_words(str(value), progress) in _plain_words(progress.user, progress),
                )


def _plain_words(text: str, progress: DialogueProgress) -> str:
    """Return a text's words with a blank before each, numbers in digits; endings may follow."""
    numbers = progress.program.spoken.numbers
    return "".join(f" {numbers.get(word, word)}" for word in words(text))


def branch(program: ActionView, progress: DialogueProgress) -> tuple[str | None, frozenset[str]]:
    """Return the flow's action for the value said, and the actions that it excludes.

    (None, empty) unless the last event is a user turn at which the flow branches on a value.
    """
    choice: str | None = None
    closed: set[str] = set()
    opened = False
    for edge in (
        program.graph.leaving.get(progress.last_said, ()) if progress.kind == "user" else ()
    ):
        values = list(_values(edge.condition, progress)) if edge.source == "user" else []
        if any(need != present for need, present in values):
            closed.add(edge.after)
        elif values:
            opened = True
            choice = edge.after if all(present for _, present in values) else choice
    return (choice, frozenset(closed)) if opened and closed else (None, frozenset())


LEAST = 0.02
"""Scores (0 to 1) that differ by less count as equal."""


def fits(program: ActionView, progress: DialogueProgress) -> dict[str, float]:
    """Return action to the score (0 to 1) of the best result node that leads to it.

    Only nodes after the last query count. Empty unless the last event is a result.
    """
    scores: dict[str, float] = {}
    for edge in program.edges if progress.kind == "result" else ():
        if edge.source == "kb" and edge.before == progress.last_query:
            score = fits_result(edge.condition, progress.item)
            scores[edge.after] = max(score, scores.get(edge.after, 0.0))
    return scores


def unfit(program: ActionView, progress: DialogueProgress) -> frozenset[str]:
    """Return the actions whose result nodes fit the last result less than the best node."""
    scores = fits(program, progress)
    best = max(scores.values(), default=0.0)
    return frozenset(action for action, score in scores.items() if score < best - LEAST)


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
    ranking = scores.copy()
    for action in last:
        ranking[here.actions.index(action)] = scores.min() - ABOVE
    if first is not None:
        ranking[here.actions.index(first)] = scores.max() + ABOVE
    return ranking


def own_words(here: DescribedActions, scores: Vector) -> Vector:
    """Give the scores of unsayable replies to the custom reply, and rank them last."""
    if not here.unsayable or CUSTOM not in here.actions:
        return scores
    ranking = scores.copy()
    custom = here.actions.index(CUSTOM)
    for action in here.unsayable:
        place = here.actions.index(action)
        ranking[custom] = max(ranking[custom], scores[place])
        ranking[place] = scores.min() - ABOVE
    return ranking


RULES: dict[str, Callable[[DescribedActions, Vector], Vector]] = {
    "own_words": own_words,
    "read_out": read_out,
    "said_value": said_value,
}
"""The rules by name, in the order they are applied."""
