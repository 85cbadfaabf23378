"""What a task file adds to a task: slots, tables, and a flow whose nodes carry their own words.

Published schemas (STAR's, SAM's) have replies, APIs and edges only; a task written for dialoom has
these as well, and the replies and edges are derived from them (docs/task-file.md).

    Node(name="ask_guests", kind="system", texts=("For how many?",), asks=("guests",),
         then=("give_guests",))
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.slot import Slot

Effect = Literal["search", "find", "book", "insert", "update"]
"""What a call does: pick rows by constraints, pick the row of a key, check and take a key, add a
row, change the row of a key."""

Outcome = Literal["found", "nothing", "available", "unavailable", "done", "failed"]
"""How a call may end: search and find; book with Check; book with Book, insert and update."""


class Column(Struct, frozen=True, kw_only=True):
    """A column of a table, or an input or output of an API: its values are a slot's, or its own.

    `texts` are drawn whole; with type "steps" each of `lists` is one list of steps. With type
    "serial" rows are numbered from the minimum on. `along` names the column of the same table
    whose place in its values this one's follows: a question and its answer.
    """

    name: str
    slot: str | None = None
    type: str = "category"
    values: tuple[Any, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | float = 1
    along: str | None = None
    required: bool = False
    required_if: dict[str, tuple[str, ...]] = {}
    """Other input to the values under which this one is required."""


class Table(Struct, frozen=True, kw_only=True):
    """A table of the knowledge base with how many rows are drawn at the start."""

    name: str
    rows: int
    columns: tuple[Column, ...]


class Call(Struct, frozen=True, kw_only=True):
    """What an API of the task does to which table.

    Attributes:
        api: The API's name.
        effect: What it does.
        table: The table it works on.
        key: The inputs that pick a row, or that can be taken only once.
        inputs: What goes in.
        outputs: What comes out besides the row.
        answers: Outcome to the outputs that tell of it.
    """

    api: str
    effect: Effect
    table: str
    key: tuple[str, ...] = ()
    inputs: tuple[Column, ...] = ()
    outputs: tuple[Column, ...] = ()
    answers: dict[str, dict[str, Any]] = {}


class Intent(Struct, frozen=True, kw_only=True):
    """Something a user may come for, and the APIs that serve it."""

    name: str
    description: str
    apis: tuple[str, ...]


class Node(Struct, frozen=True, kw_only=True):
    """A node of the flow graph.

    Attributes:
        name: Its name; a system node's is its action label.
        kind: Who acts: the user, the system, the system by a query, the knowledge base.
        texts: Templates of what is said (user, system).
        then: The nodes that may follow; none ends the dialogue.
        asks: The slots a system node asks for.
        when: Slot to the values under which an ask is made at all.
        api: The API a query node calls.
        request: "Check" or "Book" where the API tells them apart.
        outcome: The outcome a result node stands for.
        gives_none: The user has no wish for the slot asked for.
        forget: Slots to be asked for again.
        set: Slot to the value it gets.
        next: The integer slot that grows by one.
        reads: The list output read out step by step.
        last: The node for the last step.
        detail: The parallel list that a side branch reads.
    """

    name: str
    kind: Literal["user", "system", "query", "result"]
    texts: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    asks: tuple[str, ...] = ()
    when: dict[str, tuple[str, ...]] = {}
    api: str | None = None
    request: str | None = None
    outcome: str | None = None
    gives_none: bool = False
    forget: tuple[str, ...] = ()
    set: dict[str, str] = {}
    next: str | None = None
    reads: str | None = None
    last: str | None = None
    detail: str | None = None


class Design(Struct, frozen=True, kw_only=True):
    """A task file's content, beyond what published schemas have.

    Attributes:
        domain: The domain the task belongs to.
        description: What the task is, for people.
        briefing: Who ("user", "wizard") to what they are told to do.
        aliases: Other names of the task.
        intents: What the user may come for, by name; a task may leave it at its description.
        slots: What the user may want or know, by name.
        tables: What the knowledge base holds, by name.
        calls: What each API does, by name.
        nodes: The flow graph; the first one opens the dialogue.
        questions: Agent to the questions asked after the dialogue.
        out_of_scope: What the system says to anything else.
    """

    domain: str
    description: str = ""
    briefing: dict[str, str] = {}
    aliases: tuple[str, ...] = ()
    intents: dict[str, Intent] = {}
    slots: dict[str, Slot] = {}
    tables: dict[str, Table] = {}
    calls: dict[str, Call] = {}
    nodes: dict[str, Node] = {}
    questions: dict[str, tuple[str, ...]] = {}
    out_of_scope: tuple[str, ...] = ()
