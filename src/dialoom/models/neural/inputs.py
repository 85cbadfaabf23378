"""Inputs of schema attention: a history, the nodes of the task, and features of the nodes.

The STAR paper's model reads histories and nodes. The inputs of the schema follower can be added, to
separate the effect of inputs from that of the model: texts of API parameters as nodes, and the
follower's groups of features (slot state among them) of the action that follows each node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dialoom.flow.action_view import ActionView, view_actions
from dialoom.flow.actions import read_graph
from dialoom.learn.model import Questions, Schemas
from dialoom.learn.text import TfidfEncoder
from dialoom.models.follower.reader import QuestionReader
from dialoom.models.history import turns
from dialoom.schema.lexicon import split_name
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema, resolve

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]

EVENTS = 20
"""Most events of a history; its `length` in tokens mostly cuts it shorter."""

LISTED = 8
"""Most values in the text of a parameter."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a task's graph: the text of each, and the action that follows it."""

    texts: tuple[str, ...]
    following: tuple[str, ...]


class Reading(NamedTuple):
    """A history as text, and features of the task's nodes: shape (nodes, features), or None."""

    history: str
    numbers: Any = None


class SchemaInputs:
    """Reads questions about the tasks of some schemas.

    Args:
        schemas: The schemas.
        graph: Whether to read tasks' graphs; without, a task has no nodes.
        api: Whether texts of API parameters are nodes too.
        groups: The follower's groups of features to read of nodes; none for no features.
    """

    def __init__(self, schemas: Schemas, *, graph: bool, api: bool, groups: Sequence[str]) -> None:
        self.schemas = schemas
        self._graph, self._api = graph, api
        self._reader = QuestionReader(schemas, TfidfEncoder(), groups) if groups else None
        self._nodes: dict[str, Nodes] = {}

    def nodes(self, task: str) -> Nodes:
        """Return a task's nodes."""
        if task not in self._nodes:
            known = self.schemas[resolve(task, self.schemas)] if self._graph else None
            self._nodes[task] = Nodes((), ()) if known is None else self._read_nodes(known)
        return self._nodes[task]

    def _read_nodes(self, task: TaskSchema) -> Nodes:
        """Return the nodes of a task with a graph."""
        pairs = list(_graph_nodes(task))
        if self._api or self._reader is not None:
            program = view_actions(task)
            pairs += _parameter_nodes(program) if self._api else ()
            pairs += _bare_nodes(program, {after for _, after in pairs}) if self._reader else ()
        return Nodes(tuple(text for text, _ in pairs), tuple(after for _, after in pairs))

    def read(self, questions: Questions) -> list[Reading]:
        """Return the inputs of each question."""
        histories = [turns(question, EVENTS) for question in questions]
        if self._reader is None:
            return [Reading(history) for history in histories]
        found: list[Any] = [None] * len(questions)
        for number, here in self._reader.read(questions):
            place = {action: row for row, action in enumerate(here.actions)}
            following = self.nodes(questions[number].asked.task).following
            rows = [place[action] for action in following]
            found[number] = here.features[rows]
        return [Reading(*pair) for pair in zip(histories, found, strict=True)]


def _graph_nodes(task: TaskSchema) -> Iterator[tuple[str, str]]:
    """Yield a text for each edge with the action after it.

    The text is the user's or the result's on the edge, else the reply before.
    """
    graph = read_graph(task)
    for edge in graph.edges:
        text = edge.condition or graph.texts.get(edge.before or "", "")
        if text:
            yield text, edge.after


def _parameter_nodes(program: ActionView) -> Iterator[tuple[str, str]]:
    """Yield the text of each API parameter with the action that asks for it.

    The texts of all parameters are yielded with each query.
    """
    texts = {parameter.name: _described(parameter) for parameter in program.parameters}
    for action, parameter in program.links.items():
        yield texts[parameter.name], action
    for query in program.queries:
        yield "; ".join(texts.values()), query


def _bare_nodes(program: ActionView, known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield a text for each action that is not known: its reply, or its name."""
    for action in program.actions:
        if action not in known:
            yield program.texts[action] or " ".join(split_name(action)), action


def _described(parameter: Slot) -> str:
    """Return the text of a parameter: name, description and values."""
    named = " ".join(split_name(parameter.name))
    told = [
        named,
        parameter.description or "",
        ", ".join(map(str, list(parameter.values)[:LISTED])),
    ]
    return ": ".join(text for text in told if text)
