"""The actions of a flow: the edges between them with their conditions, and their distances.

    graph = read_graph(task)
    graph.leaving["ask_day"]                              # the edges that leave ask_day
    graph.reach("ask_day", known={"ask_time"})            # {"ask_time": 0, "query": 0, ...}

An action is a reply or query of the system, under its label in the annotation. The nodes between
two actions, of users and of results, become the condition of the edge.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property
from typing import Any, Literal, NamedTuple

from dialoom.dialogue.annotation import Struct
from dialoom.schema.call import Call
from dialoom.schema.flow import OUT_OF_SCOPE, QUERIES, Node, label
from dialoom.schema.lexicon import split_name
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACE, PLACEHOLDER

FAR = 6
"""Upper limit of costs in `Graph.reach`; actions that cost more are left out."""

Condition = Literal["user", "kb", "flow", "marker"]
"""Source of an edge's condition: a user's utterance, a result, none, an utterance that may come at
any time."""


class Edge(Struct, frozen=True):
    """`after` may follow `before` (any action if None) if `condition` was said or returned."""

    before: str | None
    after: str
    condition: str
    source: Condition


class Graph(Struct, frozen=True, dict=True, gc=True):
    """The actions of a task, each with its reply (empty for queries), and their edges."""

    texts: dict[str, str]
    edges: tuple[Edge, ...]

    @cached_property
    def actions(self) -> tuple[str, ...]:
        """The actions, queries included."""
        return tuple(self.texts)

    @cached_property
    def leaving(self) -> dict[str | None, tuple[Edge, ...]]:
        """Action to the edges that leave it; None to those that may be taken anywhere."""
        groups: dict[str | None, list[Edge]] = {}
        for edge in self.edges:
            groups.setdefault(edge.before, []).append(edge)
        return {before: tuple(edges) for before, edges in groups.items()}

    def after_answer(self, question: str, *, has_value: bool) -> tuple[Edge, ...]:
        """Return the edges that leave a question after an answer with a value, or without one.

        All edges where the flow does not distinguish these answers.
        """
        leaving = self.leaving.get(question, ())
        answers = [edge for edge in leaving if edge.source == "user"]
        without = tuple(edge for edge in answers if not PLACE.search(edge.condition))
        if not without or len(without) == len(answers):
            return leaving
        return tuple(edge for edge in leaving if edge not in without) if has_value else without

    @cached_property
    def entries(self) -> tuple[str, ...]:
        """The actions a dialogue may start with: those with a way out and none leading to them."""
        reached = {edge.after for edge in self.edges if edge.before is not None}
        return tuple(a for a in self.actions if a not in reached and a in self.leaving)

    def reach(self, at: str | None, skips: Collection[str] = ()) -> dict[str, int]:
        """Return action to its cost: the unknown actions on the shortest way.

        `at` is the first action; the first entry of the flow if None. Known actions may be left out
        at no cost.
        """
        level = [at] if at is not None else list(self.entries[:1])
        actions, cost = set(level), 0
        costs: dict[str, int] = {}
        while level and cost < FAR:
            following: list[str] = []
            while level:
                for edge in self.leaving.get(level.pop(0), ()):
                    if edge.after not in actions:
                        actions.add(edge.after)
                        costs[edge.after] = cost
                        (level if edge.after in skips else following).append(edge.after)
            level, cost = following, cost + 1
        return costs

    @cached_property
    def order(self) -> dict[str, int]:
        """Action to its place in a depth-first walk; actions that it does not reach come last."""
        after: dict[str | None, list[str]] = {}
        # the richer view's way first: the plain one has no branches
        for edge in sorted(self.edges, key=lambda edge: edge.source == "flow"):
            after.setdefault(edge.before, []).append(edge.after)
        stack = list(reversed(self.entries))
        places: dict[str, int] = {}
        while stack:
            action = stack.pop()
            if action not in places:
                places[action] = len(places)
                stack += reversed(after.get(action, []))
        return {**dict.fromkeys(self.actions, len(self.actions)), **places}


def read_graph(task: TaskSchema) -> Graph:
    """Return the actions of a task's flow."""
    texts = {**dict(_replies(task)), **dict.fromkeys(_queries(task), "")}
    after, markers = following(task)
    plain = (
        Edge(None, name, markers[before], "marker")
        if before in markers
        else Edge(before, name, "", "flow")
        for before, name in after.items()
    )
    rich = (
        Edge(
            step.before,
            step.after,
            heard(step.through, task).strip(),
            "kb" if step.through.kind == "result" else "user",
        )
        for step in transitions(task)
        if step.through is not None
    )
    edges = (edge for edge in (*plain, *rich) if edge.after in texts)
    return Graph(texts, tuple(dict.fromkeys(edges)))


def _replies(task: TaskSchema) -> Iterator[tuple[str, str]]:
    for node in task.flow.nodes.values():
        if node.kind == "system" and node.texts:
            yield node.name, node.texts[0]
    if task.out_of_scope:
        yield OUT_OF_SCOPE, task.out_of_scope[0]


def _queries(task: TaskSchema) -> tuple[str, ...]:
    if task.call_inputs:
        twofold = any(column.type == "request" for column in task.call_inputs)
        return QUERIES[1:] if twofold else QUERIES[:1]
    labels = {label(node) for node in task.flow.nodes.values() if node.kind == "call"}
    return tuple(query for query in QUERIES if query in labels) or QUERIES[:1]


class Transition(NamedTuple):
    """One way from an action to the next: through a user or result node, or directly (None)."""

    before: str | None
    through: Node | None
    after: str


def transitions(task: TaskSchema) -> list[Transition]:
    """Return the ways from action to action; those that open the dialogue come from None."""
    flow, first = task.flow, task.flow.first
    steps: list[Transition] = []
    if first is not None and first.kind == "user":
        steps += (Transition(None, first, label(after)) for after in flow.following(first))
    for node in flow.nodes.values():
        if node.kind in ("user", "result"):
            continue
        for through in flow.following(node):
            if through.kind in ("system", "call"):
                steps.append(Transition(label(node), None, label(through)))
            else:
                after = flow.following(through)
                steps += (Transition(label(node), through, label(each)) for each in after)
    return steps


def following(task: TaskSchema) -> tuple[dict[str, str], dict[str, str]]:
    """Return the one action after each action or, if a choice decides, after each choice.

    In an incomplete flow, a choice is a user utterance possible at any time. Returns action or
    choice to the action that follows, and choice to its text.
    """
    if task.flow.complete:
        return _branches(transitions(task))
    direct = {s.before: s.after for s in transitions(task) if s.before and s.through is None}
    loose = [node for node in task.flow.anytime if node.then]
    markers = {node.name: heard(node, task) for node in loose}
    return direct | {node.name: node.then[0] for node in loose}, markers


def _branches(steps: list[Transition]) -> tuple[dict[str, str], dict[str, str]]:
    ways: dict[str, list[Transition]] = {}
    for step in steps:
        if step.before is not None:
            ways.setdefault(step.before, []).append(step)
    after: dict[str, str] = {}
    markers: dict[str, str] = {}
    for before, leaving in ways.items():
        if len({step.after for step in leaving}) == 1:
            after[before] = leaving[0].after
            continue
        for step in leaving:
            if step.through is None:
                after.setdefault(before, step.after)
            else:
                after.setdefault(step.through.name, step.after)
                markers.setdefault(step.through.name, _called(step.through))
    return after, markers


def _called(node: Node) -> str:
    if node.outcome is not None:
        return node.outcome.capitalize()
    plain = [text for text in node.texts if "{" not in text]
    return next(iter(plain), " ".join(split_name(node.name)))


def wordings(node: Node) -> tuple[str, ...]:
    """Return the texts by which a node's reply is suggested to wizards: its own without values."""
    if node.examples:
        return node.examples
    plain = (" ".join(PLACEHOLDER.sub(" ", text).split()) for text in node.texts)
    return tuple(text for text in plain if any(letter.isalnum() for letter in text))


def heard(node: Node, task: TaskSchema) -> str:
    """Return a user node's text, or a result node's attributes, with [PLACES] for values."""
    if node.kind == "user":
        return PLACEHOLDER.sub(lambda match: f"[{match[1].upper()}]", next(iter(node.texts), ""))
    if node.texts:
        return node.texts[0]
    queries = (n for n in task.flow.nodes.values() if n.kind == "call" and node.name in n.then)
    call = task.calls.get(min((query.call or "" for query in queries), default=""))
    return _item(call, node.outcome, task) if call else ""


def _item(call: Call, outcome: str | None, task: TaskSchema) -> str:
    """Return a result's attributes as text: those of the outcome with values, others as places."""
    if outcome == "nothing" and outcome not in call.answers:
        return ""
    fields = [column for column in call.inputs if column.required and column.type != "request"]
    table = task.tables.get(call.table)
    if table and outcome in ("found", "available", "done"):
        fields += [*table.columns, *call.outputs]
    values: dict[str, Any] = {c.name: f"[{'_'.join(split_name(c.name)).upper()}]" for c in fields}
    values |= call.answers.get(outcome or "", {})
    return "".join(f"{name} = {value} ; " for name, value in values.items())
