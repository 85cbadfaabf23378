"""What speaks for each action at a point of a dialogue: named groups of numbers.

Every group is a function from a `Point` to named columns, one number an action. No column knows
which task, slot or sentence it is about, so what is learnt from some tasks holds for others.
"""

from __future__ import annotations

from collections.abc import Callable

from dialoom.models.follower.evidence import cue_columns, placeholder_columns, similarity_columns
from dialoom.models.follower.point import Columns, Point
from dialoom.models.follower.program import CUSTOM
from dialoom.models.follower.progress import (
    done_columns,
    graph_columns,
    program_columns,
    slot_columns,
)
from dialoom.schema.actions import QUERIES
from dialoom.schema.lexicon import words


def action_columns(point: Point) -> Columns:
    """What the action is, by its reply and its place in the schema."""
    yield from point.static.columns.items()


def context_columns(point: Point) -> Columns:
    """Where the dialogue stands, whatever the action."""
    state = point.state
    for kind in ("start", "user", "system", "result"):
        yield f"after_{kind}", point.fill(state.kind == kind)
    yield "turns", point.fill(min(state.turns, 12))
    yield "user_turns", point.fill(min(state.user_turns, 12))
    yield "run", point.fill(min(state.run, 5))
    yield "queries", point.fill(min(len(state.queries), 5))
    yield "repeat", point.fill(state.repeat)
    yield "empty_run", point.fill(min(state.empty_run, 4))
    yield "empty", point.fill(state.kind == "result" and state.item is None)
    yield "had_item", point.fill(state.item is not None)
    yield "user_words", point.fill(min(len(words(state.user)), 40))
    last = state.last or ""
    yield "last_query", point.fill(last in QUERIES)
    yield "last_ask", point.fill(last in point.program.links)
    yield "last_custom", point.fill(last == CUSTOM)
    yield "last_matched", point.fill(state.matched)
    yield "last_question", point.fill("?" in state.last_text)
    yield "last_known_query", point.fill(QUERIES.index(state.last_query or QUERIES[0]))


GROUPS: dict[str, Callable[[Point], Columns]] = {
    "action": action_columns,
    "context": context_columns,
    "similarity": similarity_columns,
    "cues": cue_columns,
    "graph": graph_columns,
    "done": done_columns,
    "slots": slot_columns,
    "program": program_columns,
    "placeholders": placeholder_columns,
}
"""The groups of features by name; each can be left out."""
