"""A point of a dialogue, with what is needed to describe the task's actions there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dialoom.models.follower.likeness import Likeness, Vector
from dialoom.models.follower.program import CUSTOM, Program
from dialoom.models.follower.state import State
from dialoom.schema.actions import QUERIES
from dialoom.schema.lexicon import cues, words
from dialoom.schema.template import PLACEHOLDER

Columns = Iterator[tuple[str, Vector]]
"""Named columns: one number an action."""


def flags(values: Iterator[bool]) -> Vector:
    """Return a column of ones and zeros."""
    return np.array([float(value) for value in values])


def numbers(values: Iterator[float]) -> Vector:
    """Return a column."""
    return np.array([float(value) for value in values])


class Point:
    """A state with what is needed to describe the task's actions in it."""

    def __init__(self, state: State, likeness: Likeness, static: Static) -> None:
        self.state, self.likeness, self.static = state, likeness, static
        self.program: Program = state.program
        self.size = len(self.program.actions)
        self.heard = cues(state.user, self.program.spoken.language)

    def zeros(self) -> Vector:
        """Return a column of zeros."""
        return np.zeros(self.size)

    def fill(self, value: float) -> Vector:
        """Return a column of one value: something about the dialogue rather than an action."""
        return np.full(self.size, float(value))


class Static:
    """What about a task's actions never changes in a dialogue."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.index = {action: number for number, action in enumerate(program.actions)}
        language = program.spoken.language
        self.cues = {a: cues(text, language) for a, text in program.texts.items()}
        self.conditions = [cues(edge.condition, language) for edge in program.edges]
        self.asks = [
            action
            for action in sorted(program.links, key=lambda a: program.order[a])
            if action not in program.superseded
        ]
        on_graph = {e.after for e in program.edges} | {e.before for e in program.edges}
        self.on_graph = on_graph
        self.path = [a for a in self.asks if a in on_graph]
        self.columns = dict(self._columns())

    def _columns(self) -> Columns:
        program = self.program
        actions, texts = program.actions, program.texts
        yield "is_query", flags(a in QUERIES for a in actions)
        for query in QUERIES[1:]:
            yield f"is_{query}", flags(a == query for a in actions)
        yield "is_custom", flags(a == CUSTOM for a in actions)
        yield "is_ask", flags(a in program.links for a in actions)
        yield "is_question", flags("?" in texts[a] for a in actions)
        yield "places", numbers(len(PLACEHOLDER.findall(texts[a])) for a in actions)
        yield "words", numbers(len(words(texts[a])) for a in actions)
        yield "in_paper", flags(a in program.task.replies for a in actions)
        yield "in_sam", flags(a in program.answered for a in actions)
        yield "superseded", flags(a in program.superseded for a in actions)
        yield "on_graph", flags(a in self.on_graph for a in actions)
        yield "edges_in", numbers(sum(e.after == a for e in program.edges) for a in actions)
        yield "edges_out", numbers(len(program.graph.leaving.get(a, ())) for a in actions)
        size = max(1, len(actions))
        yield "place", numbers(program.order[a] / size for a in actions)
        yield "path_length", np.full(len(actions), float(len(self.path)))
        for cue in next(iter(self.cues.values())):
            yield f"says_{cue}", flags(self.cues[a][cue] for a in actions)
