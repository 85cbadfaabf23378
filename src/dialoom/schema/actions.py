"""The flow graph of a task as a pure state machine: which steps may come next.

    graph = read_graph(task)
    graph.permitted("ask_day")                            # the edges that leave ask_day
    graph.permitted("ask_day", known={"ask_time"})        # a known answer needs no question
    graph.reach("ask_day", known={"ask_time"})            # {"ask_time": 0, "query": 0, ...}

All published views of a task's flow are joined. A node is an action if the system can say or do
it, a marker if it only names what the user or the knowledge base said; markers and the richer
view's nodes for users and results become the conditions of edges between actions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.task import PAPER, SAM, TaskSchema

QUERIES = ("query", "query_check", "query_book")
"""Labels of a knowledge-base query (dialoom.dialogue.views.query_label)."""

REQUEST_TYPE = "RequestType"
"""The type of the parameter that tells checking from booking (STAR's API descriptions)."""

RESULT = re.compile(r"^\s*\[RESULT\]\s*")
"""How SAM's schemas mark a node that stands for a result."""

FAR = 6
"""Costs from here on are not told apart: further ahead than any dialogue looks."""

Source = Literal["user", "kb", "flow", "marker"]
"""Where a condition comes from: what a user says, a result, no condition, a bare marker."""


class Edge(Struct, frozen=True):
    """`after` may follow `before` (any action where None) if `condition` was said or returned."""

    before: str | None
    after: str
    condition: str
    source: Source


class Graph(Struct, frozen=True, dict=True, gc=True):
    """The actions of a task and what may follow what.

    Attributes:
        texts: Action to its reply, empty for queries, in the schema's order.
        edges: Which action may follow which, when.
    """

    texts: dict[str, str]
    edges: tuple[Edge, ...]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """What the system may do, queries included."""
        return tuple(self.texts)

    @cached_property
    def leaving(self) -> dict[str | None, tuple[Edge, ...]]:
        """Action to the edges that leave it; None to those that may be taken anywhere."""
        found: dict[str | None, list[Edge]] = {}
        for edge in self.edges:
            found.setdefault(edge.before, []).append(edge)
        return {before: tuple(edges) for before, edges in found.items()}

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The actions a dialogue may start with: those with a way out and none leading to them."""
        reached = {edge.after for edge in self.edges if edge.before is not None}
        return tuple(a for a in self.actions if a not in reached and a in self.leaving)

    def permitted(self, at: str | None, known: Collection[str] = ()) -> tuple[Edge, ...]:
        """Return the edges that may be taken after the action `at`, or at the start.

        An action of `known` is a question whose answer is known: it may be left out, so the edges
        that leave it may be taken too.
        """
        found: dict[Edge, None] = {}
        stack = list(reversed(self._first(at)))
        while stack:
            edge = stack.pop()
            if edge not in found:
                found[edge] = None
                if edge.after in known:
                    stack += reversed(self.leaving.get(edge.after, ()))
        return tuple(found)

    def _first(self, at: str | None) -> tuple[Edge, ...]:
        if at is not None:
            return self.leaving.get(at, ())
        return tuple(Edge(None, action, "", "flow") for action in self.entries)

    def reach(self, at: str | None, known: Collection[str] = ()) -> dict[str, int]:
        """Return what each action costs to get to from `at`: the steps that cannot be left out."""
        level = [at] if at is not None else list(self.entries[:1])
        seen, cost = set(level), 0
        found: dict[str, int] = {}
        while level and cost < FAR:
            following: list[str] = []
            while level:
                for edge in self.leaving.get(level.pop(0), ()):
                    if edge.after not in seen:
                        seen.add(edge.after)
                        found[edge.after] = cost
                        (level if edge.after in known else following).append(edge.after)
            level, cost = following, cost + 1
        return found

    @cached_property
    def order(self) -> dict[str, int]:
        """Each action's place on the way through the graph; those it does not reach come last."""
        after: dict[str | None, list[str]] = {}
        # the richer view's way first: the plain one has no branches
        for edge in sorted(self.edges, key=lambda edge: edge.source == "flow"):
            after.setdefault(edge.before, []).append(edge.after)
        stack = list(reversed(self.entries))
        found: dict[str, int] = {}
        while stack:
            action = stack.pop()
            if action not in found:
                found[action] = len(found)
                stack += reversed(after.get(action, []))
        return {**dict.fromkeys(self.actions, len(self.actions)), **found}


def read_graph(task: TaskSchema) -> Graph:
    """Join the views of a task's flow graph."""
    texts = {**_replies(task), **dict.fromkeys(_queries(task), "")}
    edges = dict.fromkeys((*_plain_edges(task, texts), *_rich_edges(task, texts)))
    return Graph(texts, tuple(edges))


def _replies(task: TaskSchema) -> dict[str, str]:
    found = {
        name: text
        for name, text in task.replies.items()
        if name not in QUERIES and not _is_marker(task, name)
    }
    sam = task.view(SAM)
    if sam is not None:
        heard = set(sam.edges) - set(sam.edges.values())
        for name, text in (sam.nodes or {}).items():
            if name not in heard and name not in QUERIES and not RESULT.match(text):
                found.setdefault(name, text)
    return found


def _is_marker(task: TaskSchema, name: str) -> bool:
    """A marker is followed by something, follows nothing, and is no suggestion."""
    paper = task.view(PAPER)
    if paper is None or name not in paper.edges:
        return False
    reached = {after for flow in task.flows for after in flow.edges.values()}
    return name not in reached and name not in (task.suggestions or {})


def _queries(task: TaskSchema) -> tuple[str, ...]:
    inputs = [parameter for api in task.apis for parameter in api.inputs]
    if inputs:
        twofold = any(parameter.type == REQUEST_TYPE for parameter in inputs)
        return QUERIES[1:] if twofold else QUERIES[:1]
    nodes = {node for flow in task.flows for edge in flow.edges.items() for node in edge}
    return tuple(query for query in QUERIES if query in nodes) or QUERIES[:1]


def _plain_edges(task: TaskSchema, texts: dict[str, str]) -> Iterator[Edge]:
    paper = task.view(PAPER)
    for node, after in (paper.edges if paper else {}).items():
        if after not in texts:
            continue
        if node in texts:
            yield Edge(node, after, "", "flow")
        else:
            yield Edge(None, after, task.replies.get(node, node), "marker")


def _rich_edges(task: TaskSchema, texts: dict[str, str]) -> Iterator[Edge]:
    sam = task.view(SAM)
    if sam is None:
        return
    for node, after in sam.edges.items():
        if after in texts:
            text = (sam.nodes or {}).get(node, "")
            source: Source = "kb" if RESULT.match(text) else "user"
            yield Edge((sam.reverse or {}).get(node), after, RESULT.sub("", text).strip(), source)
