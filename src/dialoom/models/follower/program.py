"""A task's schema compiled into what a follower needs: actions, edges, order, linked slots.

Nothing here knows a task, a slot or a sentence. A node is a system action if the system can say or
do it, a marker if it only names what the user or the knowledge base said. Edges of all published
views of the flow graph are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from dialoom.models.follower.links import link_asks
from dialoom.schema.lexicon import Lexicon, lexicon
from dialoom.schema.task import PAPER, SAM, Parameter, Task

QUERIES = ("query", "query_check", "query_book")
"""Labels of a knowledge-base query (dialoom.dialogue.views.query_label)."""

CUSTOM = "custom"
"""The label of a reply that a wizard typed instead of picking (STAR)."""

RESULT = re.compile(r"^\s*\[RESULT\]\s*")
"""How SAM's schemas mark a node that stands for a result."""

PLACEHOLDER = re.compile(r"\{(\w+)(?::\w+)?\}")
"""A placeholder of a reply template, as STAR prints it."""

REQUEST_TYPE = "RequestType"
"""The type of the parameter that tells checking from booking (STAR's API descriptions)."""

Source = Literal["user", "kb", "flow", "marker"]


class Edge(msgspec.Struct, frozen=True):
    """`after` may follow `before` (any action where None) if `condition` was said or returned."""

    before: str | None
    after: str
    condition: str
    source: Source


class Program(msgspec.Struct, frozen=True):
    """A compiled task.

    Attributes:
        task: The task.
        spoken: The word lists of its language.
        actions: What the system may do, queries included.
        texts: Action to its reply, empty for queries.
        edges: Which action may follow which, when.
        order: Action to its place on the way through the flow graph.
        links: Action that asks for a value to the API parameter it asks for.
        views: Action to the views of the flow graph that know it.
        superseded: Actions whose reply another view gives under another name.
    """

    task: Task
    spoken: Lexicon
    actions: tuple[str, ...]
    texts: dict[str, str]
    edges: tuple[Edge, ...]
    order: dict[str, int]
    links: dict[str, Parameter]
    views: dict[str, frozenset[str]]
    superseded: frozenset[str]

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The inputs of the task's APIs that a user can give."""
        return tuple(p for api in self.task.apis for p in api.inputs if p.type != REQUEST_TYPE)

    @property
    def required(self) -> frozenset[str]:
        """The names of the inputs that must be given."""
        return frozenset(name for api in self.task.apis for name in api.required)

    @property
    def queries(self) -> tuple[str, ...]:
        """The actions that query the knowledge base."""
        return tuple(action for action in self.actions if action in QUERIES)


def compile_task(task: Task) -> Program:
    """Compile a task's schema."""
    texts = _texts(task)
    actions = tuple(texts)
    edges = tuple(dict.fromkeys((*_paper_edges(task, texts), *_sam_edges(task, texts))))
    answers = _answers(task)
    program = Program(
        task=task,
        spoken=lexicon(task.language),
        actions=actions,
        texts=texts,
        edges=edges,
        order=_order(actions, edges),
        links={},
        views=_views(task, actions),
        superseded=frozenset(),
    )
    twins = _superseded(program)
    alone = {action: text for action, text in texts.items() if action not in twins}
    links = link_asks(alone, answers, program.parameters, program.spoken)
    links |= {action: links[twin] for action, twin in twins.items() if twin in links}
    return msgspec.structs.replace(program, links=links, superseded=frozenset(twins))


def _texts(task: Task) -> dict[str, str]:
    found: dict[str, str] = {}
    sam = task.flow(SAM)
    for name, text in task.replies.items():
        if name not in QUERIES and not _is_marker(task, name):
            found[name] = text
    if sam is not None:
        said = set(sam.edges) - set(sam.edges.values())
        for name, text in (sam.nodes or {}).items():
            if name not in said and name not in QUERIES and not RESULT.match(text):
                found.setdefault(name, text)
    found[CUSTOM] = ""
    for query in _queries(task):
        found[query] = ""
    return found


def _is_marker(task: Task, name: str) -> bool:
    """A marker is followed by something, follows nothing, and is no suggestion."""
    paper = task.flow(PAPER)
    if paper is None:
        return False
    sam = task.flow(SAM)
    if name in paper.edges.values() or (sam is not None and name in sam.edges.values()):
        return False
    return name in paper.edges and name not in (task.suggestions or {})


def _queries(task: Task) -> tuple[str, ...]:
    inputs = [parameter for api in task.apis for parameter in api.inputs]
    if inputs:
        twofold = any(parameter.type == REQUEST_TYPE for parameter in inputs)
        return QUERIES[1:] if twofold else QUERIES[:1]
    nodes = {n for flow in task.flows for edge in flow.edges.items() for n in edge}
    return tuple(query for query in QUERIES if query in nodes) or QUERIES[:1]


def _paper_edges(task: Task, texts: dict[str, str]) -> Iterator[Edge]:
    paper = task.flow(PAPER)
    for node, after in (paper.edges if paper else {}).items():
        if after not in texts:
            continue
        if node in texts:
            yield Edge(node, after, "", "flow")
        else:
            yield Edge(None, after, task.replies.get(node, node), "marker")


def _sam_edges(task: Task, texts: dict[str, str]) -> Iterator[Edge]:
    sam = task.flow(SAM)
    if sam is None:
        return
    for node, after in sam.edges.items():
        if after not in texts:
            continue
        text = (sam.nodes or {}).get(node, "")
        source: Source = "kb" if RESULT.match(text) else "user"
        yield Edge((sam.reverse or {}).get(node), after, RESULT.sub("", text).strip(), source)


def _answers(task: Task) -> dict[str, list[str]]:
    """What users answer to each action, as the views tell."""
    sam = task.flow(SAM)
    found: dict[str, list[str]] = {}
    for node, action in (sam.reverse or {} if sam else {}).items():
        text = (sam.nodes or {}).get(node, "") if sam else ""
        if not RESULT.match(text):
            found.setdefault(action, []).append(text)
    return found


def _order(actions: tuple[str, ...], edges: tuple[Edge, ...]) -> dict[str, int]:
    """Number the actions along the flow graph, richer view first; unreached ones come last."""
    after: dict[str | None, list[str]] = {}
    for edge in sorted(edges, key=lambda edge: edge.source == "flow"):
        after.setdefault(edge.before, []).append(edge.after)
    targets = {edge.after for edge in edges if edge.before is not None}
    stack = [a for a in reversed(actions) if a not in targets and a in after]
    found: dict[str, int] = {}
    while stack:
        action = stack.pop()
        if action not in found:
            found[action] = len(found)
            stack += reversed(after.get(action, []))
    for action in actions:
        found.setdefault(action, len(actions))
    return found


def _views(task: Task, actions: tuple[str, ...]) -> dict[str, frozenset[str]]:
    sam = task.flow(SAM)
    known = {PAPER: task.replies, SAM: (sam.nodes or {}) if sam else {}}
    return {
        action: frozenset(view for view, nodes in known.items() if action in nodes)
        for action in actions
    }


def _superseded(program: Program) -> dict[str, str]:
    """Actions of one view whose reply the richer view gives under another name, with that name."""
    richer = {_plain(t): a for a, t in program.texts.items() if SAM in program.views[a] and t}
    return {
        action: richer[_plain(text)]
        for action, text in program.texts.items()
        if text and SAM not in program.views[action] and _plain(text) in richer
    }


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
