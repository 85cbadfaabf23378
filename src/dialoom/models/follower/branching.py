"""Branches of the flow that depend on whether the user said a value of the last result.

In a quiz, for example, the node "My answer is [ANSWER]" leads to praise in the flow graph, the node
"My answer is [WRONG_ANSWER]" to a correction.
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.template import PLACE


def value_match(condition: str, progress: DialogueProgress) -> float:
    """Return how many values of a condition the user said as required, minus the others."""
    return sum(1.0 if wanted == said else -1.0 for wanted, said in _values(condition, progress))


def _values(condition: str, progress: DialogueProgress) -> Iterator[tuple[bool, bool]]:
    """Yield for each placeholder whether it requires the item's value, and was said.

    A placeholder with the name of an attribute of the item requires its value; one with more words
    ([WRONG_ANSWER] for `Answer`) requires another value.
    """
    for place in PLACE.findall(condition):
        for key, value in (progress.item or {}).items():
            wanted, name = split_name(key), split_name(place)
            if isinstance(value, str | int | float) and set(wanted) <= set(name):
                yield (
                    wanted == name,
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
    taken: str | None = None
    closed: set[str] = set()
    opened = False
    for edge in (
        program.graph.leaving.get(progress.last_said, ()) if progress.kind == "user" else ()
    ):
        values = list(_values(edge.condition, progress)) if edge.source == "user" else []
        if any(wanted != said for wanted, said in values):
            closed.add(edge.after)
        elif values:
            opened = True
            taken = edge.after if all(said for _, said in values) else taken
    return (taken, frozenset(closed)) if opened and closed else (None, frozenset())
