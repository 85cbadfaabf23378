"""A decision point: a point of a dialogue at which the system acts, and the task's actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from dialoom.flow.action_view import ActionView
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.similarity import Similarity, Vector
from dialoom.schema.flow import CUSTOM, QUERIES
from dialoom.schema.lexicon import cues, words
from dialoom.schema.template import PLACEHOLDER

Columns = Iterator[tuple[str, Vector | float]]
"""Names and columns: one number for each action, or one for all actions."""


class TaskFeatures:
    """Features of a task's actions that do not change in a dialogue.

    `index` maps actions to columns. `conditions` are the cues of each edge of the flow graph.
    `asks` are the actions that ask for a parameter, in order; `path` those on the graph.
    """

    def __init__(self, program: ActionView) -> None:
        language = program.spoken.language
        self.index = {action: number for number, action in enumerate(program.actions)}
        self.conditions = [cues(edge.condition, language) for edge in program.edges]
        asks = (action for action in program.links if action not in program.superseded)
        self.asks = sorted(asks, key=lambda action: program.order[action])
        on_graph = {e.after for e in program.edges} | {e.before for e in program.edges}
        self.path = [action for action in self.asks if action in on_graph]
        signs = {action: cues(text, language) for action, text in program.texts.items()}
        size = len(program.actions)
        functions: dict[str, Callable[[str], float]] = {
            "is_query": QUERIES.__contains__,
            **{f"is_{query}": query.__eq__ for query in QUERIES[1:]},
            "is_custom": CUSTOM.__eq__,
            "is_ask": program.links.__contains__,
            "is_question": lambda a: "?" in program.texts[a],
            "places": lambda a: len(PLACEHOLDER.findall(program.texts[a])),
            "words": lambda a: len(words(program.texts[a])),
            "has_reply": program.task.replies.__contains__,
            "is_answered": program.answered.__contains__,
            "superseded": program.superseded.__contains__,
            "on_graph": on_graph.__contains__,
            "edges_in": lambda a: sum(edge.after == a for edge in program.edges),
            "edges_out": lambda a: len(program.graph.leaving.get(a, ())),
            "place": lambda a: program.order[a] / size,
            "path_length": lambda _: len(self.path),
            **{
                f"says_{cue}": lambda a, cue=cue: signs[a][cue]  # type: ignore[misc]
                for cue in cues("", language)
            },
        }
        self.columns = {
            name: _column(function, program.actions) for name, function in functions.items()
        }


class DecisionPoint:
    """The state of a dialogue at which the system acts, with features of the task's actions.

    `size` counts the actions, `heard` has the cues in the last user turn.
    """

    def __init__(
        self, progress: DialogueProgress, similarity: Similarity, task: TaskFeatures
    ) -> None:
        self.progress, self.similarity, self.task = progress, similarity, task
        self.program: ActionView = progress.program
        self.size = len(self.program.actions)
        self.heard = cues(progress.user, self.program.spoken.language)

    def zeros(self) -> Vector:
        """Return a column of zeros."""
        return np.zeros(self.size)

    def each(self, measure: Callable[[str], float]) -> Vector:
        """Return a column with a function's value for each action."""
        return _column(measure, self.program.actions)

    def is_filled(self, action: str) -> bool:
        """True if the requested value of an action is known."""
        slot = self.program.links.get(action)
        return slot is not None and self.progress.slots.filled(slot.name)


def _column(function: Callable[[str], float], actions: tuple[str, ...]) -> Vector:
    return np.array([float(function(action)) for action in actions])
