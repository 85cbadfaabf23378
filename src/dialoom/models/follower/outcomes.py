"""Result nodes of the flow: how well each of them fits the last result."""

from __future__ import annotations

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.similarity import fits_result

LEAST = 0.02
"""Scores (0 to 1) that differ by less count as equal."""


def fits(program: ActionView, progress: DialogueProgress) -> dict[str, float]:
    """Return action to the score (0 to 1) of the best result node that leads to it.

    Only nodes after the last query count. Empty unless the last event is a result.
    """
    found: dict[str, float] = {}
    for edge in program.edges if progress.kind == "result" else ():
        if edge.source == "kb" and edge.before == progress.last_query:
            score = fits_result(edge.condition, progress.item)
            found[edge.after] = max(score, found.get(edge.after, 0.0))
    return found


def unfit(program: ActionView, progress: DialogueProgress) -> frozenset[str]:
    """Return the actions whose result nodes fit the last result less than the best node."""
    found = fits(program, progress)
    best = max(found.values(), default=0.0)
    return frozenset(action for action, score in found.items() if score < best - LEAST)
