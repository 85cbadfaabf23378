"""The nodes of a task's graph as inputs of schema attention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dialoom.flow.actions import read_graph
from dialoom.schema.task import TaskSchema


class Nodes(NamedTuple):
    """The nodes of a task's graph: the text of each, and the action that follows it."""

    texts: tuple[str, ...] = ()
    following: tuple[str, ...] = ()


def nodes_of(task: TaskSchema) -> Nodes:
    """Return the nodes of a task's graph."""
    pairs = list(_pairs(task))
    return Nodes(tuple(text for text, _ in pairs), tuple(after for _, after in pairs))


def _pairs(task: TaskSchema) -> Iterator[tuple[str, str]]:
    """Yield a text for each edge with the action after it.

    The text is the user's or the result's on the edge, else the reply before.
    """
    graph = read_graph(task)
    for edge in graph.edges:
        text = edge.condition or graph.texts.get(edge.before or "", "")
        if text:
            yield text, edge.after
