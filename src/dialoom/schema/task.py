"""A task as a value: its replies, APIs and flow graph, as they were published.

    TaskSchema(id="table_book", name="book_table",
         replies={"ask_size": "For how many people?", "confirm": "Booked at {place:s}."},
         flows=(Flow(view="paper", edges={"ask_size": "query", "query": "confirm"}),),
         apis=(Api(name="table_book", inputs=(Parameter(name="Size", type="Integer"),)),))

Whatever a source has and these structs do not name is kept in `extra` at the same level.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.dialogue import Origin
from dialoom.errors import UnknownNameError
from dialoom.schema.call import Call, Intent, Table
from dialoom.schema.flow import FlowGraph
from dialoom.schema.service import Service
from dialoom.schema.slot import Slot

PAPER, SAM = "paper", "sam"
"""The views a flow graph is published in: the STAR paper's, and the richer one of the Schema
Attention Model (Mehri & Eskenazi 2021), which adds nodes for what users and the KB say."""


class Parameter(Struct, frozen=True, kw_only=True):
    """An input or output of an API, or a column of the table behind it.

    Attributes:
        name: Its name in queries and items.
        type: "Categorical", "Integer", "ShortString", ... as the source names it.
        categories: The values of a categorical type, or the source's expression for them.
        minimum: The least value of a number, or the source's expression for it.
        maximum: The greatest value of a number, or the source's expression for it.
        enabled: The source's expression for when the parameter applies at all.
        readable: Its name for people.
        extra: What the source has besides.
    """

    name: str
    type: str
    categories: Any = None
    minimum: Any = None
    maximum: Any = None
    enabled: Any = None
    readable: str | None = None
    extra: dict[str, Any] = {}

    @property
    def values(self) -> tuple[Any, ...]:
        """The listed values; empty where there are none or they are an expression."""
        return tuple(self.categories) if isinstance(self.categories, list | tuple) else ()


class Api(Struct, frozen=True, kw_only=True):
    """A knowledge-base call: what goes in, what comes out, what must be given.

    `table` holds the columns of the database `db` that rows are drawn from, where published.
    """

    name: str
    inputs: tuple[Parameter, ...] = ()
    outputs: tuple[Parameter, ...] = ()
    required: tuple[str, ...] = ()
    db: str | None = None
    function: str | None = None
    returns_count: bool | None = None
    table: tuple[Parameter, ...] | None = None
    extra: dict[str, Any] = {}

    def input(self, name: str) -> Parameter | None:
        """Return the input called `name`, if there is one."""
        return next((p for p in self.inputs if p.name == name), None)


class Flow(Struct, frozen=True, kw_only=True):
    """One view of a task's flow graph: the node that follows each node.

    Attributes:
        view: Which view this is.
        edges: Node to the node that follows it.
        reverse: Node to the node it answers, where the view tells.
        nodes: Node to text, where the view has texts of its own; else the task's replies.
        name: The task's name as this view prints it.
        extra: What the source has besides.
    """

    view: str
    edges: dict[str, str] = {}
    reverse: dict[str, str] | None = None
    nodes: dict[str, str] | None = None
    name: str | None = None
    extra: dict[str, Any] = {}


class TaskSchema(Struct, frozen=True, kw_only=True):
    """One task's schema.

    Attributes:
        id: The identifier: STAR's folder name.
        name: The name printed in the schema file, which may differ.
        domain: The domain the task belongs to.
        description: What the task is, for people.
        aliases: Other names of the task.
        texts: Who ("user", "wizard") to what they are told to do.
        slots: What the user may want or know, by name.
        intents: What the user may come for, by name; a task may leave it at its description.
        calls: What each API does, by name.
        tables: What the knowledge base holds, by name.
        flow: The flow graph.
        questions: Agent to the questions asked after the dialogue.
        out_of_scope: What the system says to anything else.
        replies: Node to text: the system's replies and the markers of the flow graph.
        flows: The views of the flow graph.
        apis: The knowledge-base calls.
        suggestions: Reply to template, as the wizard's suggestions were rendered from.
        examples: Reply to what wizards may type to get it suggested.
        language: The language of every text here.
        files: Other text files of the task, by name.
        task: Slots, tables and the flow with its words, where the task was written for dialoom.
        service: Slots and intents as SGD publishes them, where the task came as a service.
        origins: Where it was read from: a service may stand in the schema files of several splits.
        extra: What the source has besides.
    """

    id: str
    name: str | None = None
    domain: str = ""
    description: str = ""
    aliases: tuple[str, ...] = ()
    texts: dict[str, str] = {}
    slots: dict[str, Slot] = {}
    intents: dict[str, Intent] = {}
    calls: dict[str, Call] = {}
    tables: dict[str, Table] = {}
    flow: FlowGraph = FlowGraph()
    questions: dict[str, tuple[str, ...]] = {}
    out_of_scope: tuple[str, ...] = ()
    replies: dict[str, str] = {}
    flows: tuple[Flow, ...] = ()
    apis: tuple[Api, ...] = ()
    suggestions: dict[str, str] | None = None
    examples: dict[str, tuple[str, ...]] | None = None
    language: str = "en"
    files: dict[str, str] = {}
    task: TaskSchema | None = None
    service: Service | None = None
    origins: tuple[Origin, ...] = ()
    extra: dict[str, Any] = {}

    def view(self, view: str) -> Flow | None:
        """Return the flow graph as `view` has it, if it has."""
        return next((flow for flow in self.flows if flow.view == view), None)

    def api(self, name: str) -> Api | None:
        """Return the API called `name`, if the task has it."""
        return next((api for api in self.apis if api.name == name), None)


def resolve(name: str, tasks: Mapping[str, TaskSchema]) -> str:
    """Return the id of the task that goes by `name`: its id, or the name printed in its schema.

    Raises:
        UnknownNameError: No task does.
    """
    if name in tasks:
        return name
    for key, task in tasks.items():
        printed = {flow.name for flow in task.flows} | {task.name}
        if name in printed:
            return key
    raise UnknownNameError("task", name, tasks)
