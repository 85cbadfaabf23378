"""Branches of the flow that turn on a value: where the user says it one way, else another.

A question whose answer the last result holds is the plainest case: in the flow graph the node
"My answer is [ANSWER]" leads to praise, "My answer is [WRONG_ANSWER]" to a correction.
"""

from __future__ import annotations

from collections.abc import Iterator

from dialoom.models.follower.program import Program
from dialoom.models.follower.progress import DialogueProgress
from dialoom.schema.lexicon import split_name, words
from dialoom.schema.template import PLACE


def value_match(condition: str, progress: DialogueProgress) -> float:
    """Return how many values that a condition names were said as it wants, less the others."""
    return sum(1.0 if wanted == said else -1.0 for wanted, said in _values(condition, progress))


def _values(condition: str, progress: DialogueProgress) -> Iterator[tuple[bool, bool]]:
    """Yield whether a condition wants a value of the item to be said, and whether the user did.

    A placeholder named as an attribute of the item wants its value to be said; one whose name has
    more words than that wants another value.
    """
    for place in PLACE.findall(condition):
        for key, value in (progress.item or {}).items():
            wanted, name = split_name(key), split_name(place)
            if isinstance(value, str | int | float) and set(wanted) <= set(name):
                yield wanted == name, _told(str(value), progress) in _told(progress.user, progress)


def _told(text: str, progress: DialogueProgress) -> str:
    """Return a text's words with a blank before each, numbers in digits; endings may follow."""
    numbers = progress.program.spoken.numbers
    return "".join(f" {numbers.get(word, word)}" for word in words(text))


def branch(program: Program, progress: DialogueProgress) -> tuple[str | None, frozenset[str]]:
    """Return the action that a value the user said leads to, and those that it rules out.

    Neither unless the user has just spoken and the flow branches there on a value of the item.
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
