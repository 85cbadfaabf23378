"""Rules that change the learnt scores by the flow of the task itself, such as its branches.

Only one task may read out lists, so models cannot learn this from other tasks; the same is true of
replies without values in a result. Each rule can be left out by name.

A branch may depend on a value of the last result that the user said: in a quiz, the node "My answer
is [ANSWER]" leads to praise, the node "My answer is [WRONG_ANSWER]" to a correction.

An action reads out a list if the flow graph has an edge from it to itself and its reply takes its
text from a list of the item. Counting determines the next action: the same action while several
elements remain; for the last one, the action with the same placeholder outside the loop; a side
branch if the user asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from rapidfuzz import fuzz

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.similarity import Vector, fits_result, open_values
from dialoom.schema.flow import CUSTOM
from dialoom.schema.lexicon import cues, fields, split_name, words
from dialoom.schema.template import PLACE, PLACEHOLDER
from dialoom.schema.values import same

TYPED = re.compile(r"\{(\w+)(?::(\w+))?\}")
"""A placeholder with its type: `s` for text, `d` for a whole number."""

READ_OUT = 88
"""Least partial ratio (0 to 100) of an element to a text that counts as reading it out."""


class Loop(msgspec.Struct, frozen=True):
    """An action that reads out a list, with its side branches and the one for the last element.

    `branches` maps an action next to the loop to the conditions under which it is taken.
    """

    body: str
    last: str | None
    branches: dict[str, tuple[str, ...]]


def find_loops(program: ActionView) -> tuple[Loop, ...]:
    """Return the loops of a task: actions with placeholders that the flow leads back to.

    Those after a result come first, the usual one before others: reading out begins there.
    """
    bodies = {
        edge.after
        for edge in program.edges
        if edge.before == edge.after and places(program, edge.after)
    }
    starts = (edge.after for edge in program.edges if edge.source == "kb")
    ordered = dict.fromkeys((*(action for action in starts if action in bodies), *sorted(bodies)))
    return tuple(_loop(program, body) for body in ordered)


def places(program: ActionView, action: str) -> tuple[str, ...]:
    """Return the names of the placeholders in an action's reply."""
    return tuple(PLACEHOLDER.findall(program.texts.get(action, "")))


def _loop(program: ActionView, body: str) -> Loop:
    reached = {edge.after for edge in program.edges}
    back = {edge.before for edge in program.edges if edge.after == body}
    shared = [
        action
        for action in program.actions
        if action not in {body, *(reached & back)} and _same_list(program, body, action)
    ]
    shared.sort(key=reached.__contains__)
    branches: dict[str, tuple[str, ...]] = {}
    for edge in program.edges:
        if edge.before == body and edge.after != body and places(program, edge.after):
            branches[edge.after] = (*branches.get(edge.after, ()), edge.condition)
    return Loop(body, shared[0] if shared else None, branches)


def _same_list(program: ActionView, one: str, other: str) -> bool:
    names, others = ([split_name(name) for name in places(program, a)] for a in (one, other))
    return any(share_word(name, each) for name in names for each in others)


def lists_of(program: ActionView, action: str, item: Mapping[str, Any]) -> list[list[str]]:
    """Return the lists of an item that share a name with an action's placeholders."""
    names = [split_name(name) for name in places(program, action)]
    return [
        [fields(element) for element in value]
        for key, value in item.items()
        if isinstance(value, list) and any(share_word(name, split_name(key)) for name in names)
    ]


def share_word(name: list[str], key: list[str]) -> bool:
    """True if two names have a word in common, in any form of it."""
    return any(same(one, other) for one in name for other in key)


def items_read(lists: list[list[str]], texts: list[str]) -> int:
    """Return how many elements have been read out: the place of the furthest one, from 1."""
    return max(
        (_read_elements(tuple(elements), text) for elements in lists for text in texts), default=0
    )


@lru_cache(maxsize=1 << 14)
def _read_elements(elements: tuple[str, ...], text: str) -> int:
    last = 0
    speech = " ".join(words(text))
    for number, element in enumerate(elements, 1):
        target = " ".join(words(element))
        if target and fuzz.partial_ratio(target, speech) >= READ_OUT:
            last = number
    return last


def next_step(program: ActionView, progress: DialogueProgress) -> str | None:
    """Return the next action of a list that is being read out, or None."""
    if progress.kind not in ("user", "result") or not progress.item:
        return None
    for loop in find_loops(program):
        lists = lists_of(program, loop.body, progress.item)
        if lists:
            return _step(loop, lists, progress)
    return None


def _step(loop: Loop, lists: list[list[str]], progress: DialogueProgress) -> str | None:
    size = max(len(elements) for elements in lists)
    done = items_read(lists, progress.spoken_texts)
    branch = _branch(loop, progress) if progress.kind == "user" and done else None
    if branch is not None:
        # the last step has its own reply, which also serves for more about it
        return loop.last if loop.last and done >= size else branch
    if done >= size:
        return None
    return loop.last if loop.last and size - done == 1 else loop.body


def _branch(loop: Loop, progress: DialogueProgress) -> str | None:
    language = progress.program.spoken.language
    edges = progress.program.edges
    back = [e.condition for e in edges if e.before == loop.body == e.after]
    signs = _shown([progress.user], language) - {"no", *_shown(back, language)}
    ways = loop.branches.items()
    return next((a for a, conditions in ways if signs & _shown(conditions, language)), None)


def _shown(texts: Iterable[str], language: str) -> set[str]:
    return {cue for text in texts for cue, present in cues(text, language).items() if present}


def spent(program: ActionView, progress: DialogueProgress) -> frozenset[str]:
    """Return the useless actions once a list has been read out: its own and queries."""
    if progress.kind != "user" or not progress.item:
        return frozenset()
    for loop in find_loops(program):
        lists = lists_of(program, loop.body, progress.item)
        if lists and items_read(lists, progress.spoken_texts) >= max(map(len, lists)):
            return frozenset({loop.body, *program.queries})
    return frozenset()


def unsayable(program: ActionView, item: Mapping[str, Any] | None) -> frozenset[str]:
    """Return the actions whose reply has placeholders, none with a value in the last result.

    A value fits a placeholder by its name, or by its type if the flow graph's node for this result
    leaves the value open. Without such a node, any text fits.
    """
    if not item:
        return frozenset()
    opened = _open_values(program, item)
    return frozenset(
        action
        for action in program.actions
        if (names := TYPED.findall(program.texts[action]))
        and not any(_fits(name, form, item, opened) for name, form in names)
    )


def _fits(name: str, form: str, item: Mapping[str, Any], opened: list[Any]) -> bool:
    if any(share_word(split_name(name), split_name(key)) for key in item):
        return True
    whole = form.startswith("d")
    return any(isinstance(value, int) == whole for value in opened)


def _open_values(program: ActionView, item: Mapping[str, Any]) -> list[Any]:
    nodes = [e.condition for e in program.edges if e.source == "kb"]
    if not nodes:
        return list(item.values())
    best = max(nodes, key=lambda condition: fits_result(condition, item))
    return open_values(best, item)


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
