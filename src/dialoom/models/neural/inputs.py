"""What schema attention reads: a history, the nodes of the task, and numbers about the nodes.

The STAR paper's model reads histories and nodes. To tell what a model makes of its inputs from what
the inputs give, the follower's can be added: texts of API parameters as nodes of their own, and the
follower's groups of features (slot state among them) of the action that follows each node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dialoom.models.base import Questions, Schemas
from dialoom.models.encoder import TfidfEncoder
from dialoom.models.follower.program import Program, compile_task
from dialoom.models.follower.reader import QuestionReader
from dialoom.models.history import turns
from dialoom.schema.actions import read_graph
from dialoom.schema.lexicon import split_name
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema, resolve

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float32]

EVENTS = 20
"""Events of the history that are read at most; the tokens of `length` are mostly fewer."""

LISTED = 8
"""Values of a parameter that its text lists at most."""


@dataclass(frozen=True, slots=True)
class Nodes:
    """The nodes of a task's graph: their texts, and which action follows each."""

    texts: tuple[str, ...]
    following: tuple[str, ...]


class Reading(NamedTuple):
    """A history, and numbers about the task's nodes there (nodes x numbers), where asked for."""

    history: str
    numbers: Any = None


class SchemaInputs:
    """Reads questions about the tasks of some schemas.

    Args:
        schemas: The schemas.
        graph: Whether to read tasks' graphs; without, a task has no nodes.
        api: Whether texts of API parameters are nodes too.
        groups: The follower's groups of features to read about nodes.
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
        pairs = list(_graph_nodes(task))
        if self._api or self._reader is not None:
            program = compile_task(task)
            pairs += _parameter_nodes(program) if self._api else ()
            pairs += _bare_nodes(program, {after for _, after in pairs}) if self._reader else ()
        return Nodes(tuple(text for text, _ in pairs), tuple(after for _, after in pairs))

    def read(self, questions: Questions) -> list[Reading]:
        """Return what is read of each question."""
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
    """Yield what users say and results hold, else the reply before, with the action after it."""
    graph = read_graph(task)
    for edge in graph.edges:
        text = edge.condition or graph.texts.get(edge.before or "", "")
        if text:
            yield text, edge.after


def _parameter_nodes(program: Program) -> Iterator[tuple[str, str]]:
    """Yield each API parameter, before the action that asks for it, and all before each query."""
    texts = {parameter.name: _described(parameter) for parameter in program.parameters}
    for action, parameter in program.links.items():
        yield texts[parameter.name], action
    for query in program.queries:
        yield "; ".join(texts.values()), query


def _bare_nodes(program: Program, known: set[str]) -> Iterator[tuple[str, str]]:
    """Yield the other actions by their own replies, or their names."""
    for action in program.actions:
        if action not in known:
            yield program.texts[action] or " ".join(split_name(action)), action


def _described(parameter: Slot) -> str:
    named = " ".join(split_name(parameter.name))
    told = [
        named,
        parameter.description or "",
        ", ".join(map(str, list(parameter.values)[:LISTED])),
    ]
    return ": ".join(text for text in told if text)
