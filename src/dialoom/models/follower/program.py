"""A task's schema compiled into what a follower needs: its graph, linked slots, views.

Nothing here knows a task, a slot or a sentence.
"""

from __future__ import annotations

import re

import msgspec

from dialoom.models.follower.links import link_asks
from dialoom.schema.actions import QUERIES, REQUEST_TYPE, RESULT, Edge, Graph, read_graph
from dialoom.schema.lexicon import Lexicon, lexicon
from dialoom.schema.task import PAPER, SAM, Parameter, TaskSchema

CUSTOM = "custom"
"""The label of a reply that a wizard typed instead of picking (STAR)."""


class Program(msgspec.Struct, frozen=True):
    """A compiled task.

    Attributes:
        task: The task.
        spoken: The word lists of its language.
        graph: Its flow graph.
        actions: What the system may do: the graph's actions and words of its own.
        texts: Action to its reply, empty for queries.
        order: Action to its place on the way through the flow graph.
        links: Action that asks for a value to the API parameter it asks for.
        views: Action to the views of the flow graph that know it.
        superseded: Actions whose reply another view gives under another name.
        parameters: The inputs of the task's APIs that a user can give.
        required: The names of the inputs that must be given.
    """

    task: TaskSchema
    spoken: Lexicon
    graph: Graph
    actions: tuple[str, ...]
    texts: dict[str, str]
    order: dict[str, int]
    links: dict[str, Parameter]
    views: dict[str, frozenset[str]]
    superseded: frozenset[str]
    parameters: tuple[Parameter, ...]
    required: frozenset[str]

    @property
    def edges(self) -> tuple[Edge, ...]:
        """Which action may follow which, when."""
        return self.graph.edges

    @property
    def queries(self) -> tuple[str, ...]:
        """The actions that query the knowledge base."""
        return tuple(action for action in self.actions if action in QUERIES)


def compile_task(task: TaskSchema) -> Program:
    """Compile a task's schema."""
    graph, spoken = read_graph(task), lexicon(task.language)
    replies = {a: text for a, text in graph.texts.items() if a not in QUERIES}
    texts = {**replies, CUSTOM: "", **dict.fromkeys(_queries(graph), "")}
    parameters = tuple(p for api in task.apis for p in api.inputs if p.type != REQUEST_TYPE)
    views = _views(task, tuple(texts))
    twins = _superseded(texts, views)
    alone = {action: text for action, text in texts.items() if action not in twins}
    links = _told_links(task, parameters) or link_asks(alone, _answers(task), parameters, spoken)
    links |= {action: links[twin] for action, twin in twins.items() if twin in links}
    return Program(
        task=task,
        spoken=spoken,
        graph=graph,
        actions=tuple(texts),
        texts=texts,
        order={CUSTOM: len(texts)} | _placed(graph, len(texts)),
        links=links,
        views=views,
        superseded=frozenset(twins),
        parameters=parameters,
        required=frozenset(name for api in task.apis for name in api.required),
    )


def _told_links(task: TaskSchema, parameters: tuple[Parameter, ...]) -> dict[str, Parameter]:
    """Which action asks for which parameter, where the task's own flow says it."""
    slots = {
        column.slot: column.name
        for call in task.calls.values()
        for column in call.inputs
        if column.slot is not None
    }
    by_name = {parameter.name: parameter for parameter in parameters}
    return {
        name: by_name[slots[slot]]
        for name, node in task.flow.nodes.items()
        for slot in node.asks[:1]
        if slot in slots and slots[slot] in by_name
    }


def _queries(graph: Graph) -> list[str]:
    return [action for action in graph.actions if action in QUERIES]


def _placed(graph: Graph, last: int) -> dict[str, int]:
    unreached = len(graph.actions)
    return {a: last if place == unreached else place for a, place in graph.order.items()}


def _answers(task: TaskSchema) -> dict[str, list[str]]:
    """What users answer to each action, as the richer view tells."""
    sam = task.view(SAM)
    found: dict[str, list[str]] = {}
    for node, action in (sam.reverse or {} if sam else {}).items():
        text = (sam.nodes or {}).get(node, "") if sam else ""
        if not RESULT.match(text):
            found.setdefault(action, []).append(text)
    return found


def _views(task: TaskSchema, actions: tuple[str, ...]) -> dict[str, frozenset[str]]:
    sam = task.view(SAM)
    known = {PAPER: task.replies, SAM: (sam.nodes or {}) if sam else {}}
    return {
        action: frozenset(view for view, nodes in known.items() if action in nodes)
        for action in actions
    }


def _superseded(texts: dict[str, str], views: dict[str, frozenset[str]]) -> dict[str, str]:
    """Actions of one view whose reply the richer view gives under another name, with that name."""
    richer = {_plain(text): a for a, text in texts.items() if SAM in views[a] and text}
    return {
        action: richer[_plain(text)]
        for action, text in texts.items()
        if text and SAM not in views[action] and _plain(text) in richer
    }


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
