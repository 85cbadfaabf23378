"""What the last result calls for: the flow's nodes for results, and which of them fits it."""

from __future__ import annotations

from dialoom.models.follower.program import Program
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.similarity import fits_result

LEAST = 0.02
"""By how much one node must fit better than another to be told from it."""


def fits(program: Program, progress: DialogueProgress) -> dict[str, float]:
    """Return how well the last result fits each action that the flow takes on a result, 0 to 1.

    None of them unless the result has just come.
    """
    found: dict[str, float] = {}
    for edge in program.edges if progress.kind == "result" else ():
        if edge.source == "kb" and edge.before == progress.last_query:
            score = fits_result(edge.condition, progress.item)
            found[edge.after] = max(score, found.get(edge.after, 0.0))
    return found


def unfit(program: Program, progress: DialogueProgress) -> frozenset[str]:
    """Return the actions that the flow takes on another result than the one that has just come."""
    found = fits(program, progress)
    best = max(found.values(), default=0.0)
    return frozenset(action for action, score in found.items() if score < best - LEAST)
