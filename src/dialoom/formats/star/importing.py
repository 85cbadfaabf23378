"""Converts STAR's files of a task to a schema: slots from API inputs, calls, tables, and a flow.

    task = to_schema("table_book", "book_table", replies, source)
    task.slots["Size"].type              # "integer"
    task.flow.nodes["ask_size"].then     # ("query", "user_size")

The two published views of the flow graph are joined. Nodes that are replies or queries of the
system are actions; SAM's nodes of users and results are between the actions. Nodes in STAR's view
that are no action are markers: user utterances that may come at any time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dialoom.schema.call import Call, Column, Table
from dialoom.schema.flow import OUT_OF_SCOPE, QUERIES, REQUESTS, FlowGraph, Node
from dialoom.schema.slot import Slot, SlotType
from dialoom.schema.source import StarApi, StarParameter, StarSource, StarView
from dialoom.schema.task import TaskSchema
from dialoom.schema.template import PLACE

RESULT = re.compile(r"^\s*\[RESULT\]\s*")
"""Prefix of the text of a result node in SAM's schemas."""

REQUEST = "RequestType"
"""The type of the parameter with the request, Check or Book."""

_BOTH: dict[str, SlotType] = {"Integer": "integer", "Boolean": "boolean"}
_BOTH |= {"CategoricalMultiple": "categories", "LongString": "long text"}

_SLOTS: dict[str, SlotType] = {**_BOTH, "Float": "amount", "Number": "amount"}
"""Type in API descriptions to slot type; others are categories if they list values, else texts."""

_COLUMNS = {**_BOTH, "CategoricalList": "steps", REQUEST: "request"}
"""The same of columns."""


def to_schema(
    task: str,
    name: str | None,
    replies: Mapping[str, str],
    source: StarSource,
    extra: Mapping[str, Any] | None = None,
) -> TaskSchema:
    """Return the schema of a task of STAR.

    Args:
        replies: Reply or marker to its text.
        source: The content of the task's other files.
    """
    inputs = [p for api in source.apis for p in api.inputs if p.type != REQUEST]
    printed = dict.fromkeys(view.name for view in (source.paper, source.sam) if view)
    return TaskSchema(
        id=task,
        name=name,
        aliases=tuple(each for each in printed if each and each not in (task, name)),
        slots={p.name: slot(p) for p in reversed(inputs)},
        calls={api.name: _call(api) for api in source.apis},
        tables={
            table(api): Table(name=table(api), rows=0, columns=_columns(api.table))
            for api in source.apis
            if api.table is not None
        },
        flow=FlowGraph(nodes=_Flow(replies, source).nodes()),
        out_of_scope=(replies[OUT_OF_SCOPE],) if OUT_OF_SCOPE in replies else (),
        replies=dict(replies),
        source=source,
        extra=dict(extra or {}),
    )


def table(api: StarApi) -> str:
    """Return the name of an API's table."""
    return api.db or api.name


def slot(parameter: StarParameter) -> Slot:
    """Return an input of an API as a slot: a category if it lists values."""
    choices: dict[str, tuple[str, ...]] = {str(value): () for value in parameter.values}
    otherwise: SlotType = "category" if choices else "short text"
    kind = _SLOTS.get(parameter.type, otherwise)
    return Slot(
        name=parameter.name,
        type="category" if kind == "long text" and choices else kind,
        description=parameter.readable or "",
        values=choices,
        minimum=_number(parameter.minimum),
        maximum=_number(parameter.maximum),
    )


def _number(bound: Any) -> int | float | None:
    return bound if isinstance(bound, int | float) else None


def _call(api: StarApi) -> Call:
    booked = any(p.type == REQUEST for p in api.inputs)
    return Call(
        name=api.name,
        effect="book" if booked else "search" if api.returns_count else "find",
        table=table(api),
        inputs=tuple(
            Column(name=p.name, type="request", required=p.name in api.required)
            if p.type == REQUEST
            else Column(
                name=p.name, slot=p.name, required=p.name in api.required, title=p.readable or ""
            )
            for p in api.inputs
        ),
        outputs=_columns(api.outputs),
    )


def _columns(parameters: Iterable[StarParameter]) -> tuple[Column, ...]:
    return tuple(
        Column(
            name=p.name,
            type=_COLUMNS.get(p.type, "category" if p.values else "short text"),
            values=() if p.type == "CategoricalList" else p.values,
            lists=tuple(_steps(p.values)) if p.type == "CategoricalList" else (),
            minimum=_number(p.minimum),
            maximum=_number(p.maximum),
        )
        for p in parameters
    )


def _steps(values: Iterable[Any]) -> Iterator[tuple[str, ...]]:
    for value in values:
        if isinstance(value, list | tuple):
            yield tuple(map(str, value))


class _Flow:
    def __init__(self, replies: Mapping[str, str], source: StarSource) -> None:
        self.replies, self.source, self.paper = replies, source, source.paper.edges
        self.sam = source.sam or StarView()
        self.heard = self.sam.nodes or {}
        self.reverse = self.sam.reverse or {}
        self.texts = {**dict(self._replies()), **dict.fromkeys(self._queries(), "")}

    def nodes(self) -> dict[str, Node]:
        opening = [name for name in self.sam.edges if name not in self.reverse][:1]
        between = [name for name in self.sam.edges if name not in opening]
        markers = [name for name, after in self.paper.items() if after in self.texts]
        return {
            node.name: node
            for node in (
                *map(self._between, opening),
                *map(self._action, self.texts),
                *(self._marker(name) for name in markers if name not in self.texts),
                *map(self._between, between),
            )
        }

    def _replies(self) -> Iterator[tuple[str, str]]:
        for name, text in self.replies.items():
            if name not in QUERIES and not self._is_marker(name):
                yield name, text
        followed = set(self.sam.edges) - set(self.sam.edges.values())
        for name, text in self.heard.items():
            fresh = name not in self.replies or self._is_marker(name)
            if fresh and name not in followed and name not in QUERIES and not RESULT.match(text):
                yield name, text

    def _is_marker(self, name: str) -> bool:
        """True if a node is a marker: no edge to it, one from it, and no suggestion."""
        reached = {*self.paper.values(), *self.sam.edges.values()}
        suggested = self.source.suggestions or {}
        return name in self.paper and name not in reached and name not in suggested

    def _queries(self) -> tuple[str, ...]:
        inputs = [parameter for api in self.source.apis for parameter in api.inputs]
        if inputs:
            twofold = any(parameter.type == REQUEST for parameter in inputs)
            return QUERIES[1:] if twofold else QUERIES[:1]
        edges = (*self.paper.items(), *self.sam.edges.items())
        linked = {name for edge in edges for name in edge}
        return tuple(query for query in QUERIES if query in linked) or QUERIES[:1]

    def _action(self, name: str) -> Node:
        direct = [after for node, after in self.paper.items() if node == name]
        answers = [node for node in self.sam.edges if self.reverse.get(node) == name]
        then = tuple(after for after in direct if after in self.texts) + tuple(answers)
        if name in QUERIES:
            call = next((api.name for api in self.source.apis), None)
            return Node(name=name, kind="call", call=call, request=REQUESTS[name], then=then)
        text = self.texts[name]
        return Node(
            name=name,
            kind="system",
            texts=(text,) if text else (),
            examples=(self.source.examples or {}).get(name, ()),
            then=then,
        )

    def _marker(self, name: str) -> Node:
        text = self.replies.get(name, name)
        return Node(name=name, kind="user", texts=(text,), then=(self.paper[name],))

    def _between(self, name: str) -> Node:
        text, after = self.heard.get(name, ""), self.sam.edges[name]
        phrase = RESULT.sub("", text).strip()
        then = (after,) if after in self.texts else ()
        if RESULT.match(text):
            return Node(name=name, kind="result", texts=(phrase,), then=then)
        template = PLACE.sub(lambda hit: f"{{{hit[1].lower()}}}", phrase)
        return Node(name=name, kind="user", texts=(template,), then=then)
