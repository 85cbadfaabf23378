"""Events of a dialogue: a tagged union of seven types.

Each event has an agent and a time in milliseconds (None where the source has no times). Several
utterances of one agent may follow one another.
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import DefaultedStruct, Layer, Struct
from dialoom.dialogue.constraint import Constraint

USER, SYSTEM, KB, GUIDE = "user", "system", "kb", "guide"
"""The agents: the user, the system (or the wizard playing it), the knowledge base, the guide."""

CHECK, BOOK = "Check", "Book"
"""Values of a request input: of a call that checks whether it could book, and of one that books."""

Item = dict[str, Any]
"""A knowledge-base item: attribute to JSON value."""


class Selected(Struct, frozen=True):
    """The knowledge-base items that the wizard sees as first and second; None for no item."""

    primary: Item | None = None
    secondary: Item | None = None


class Utterance(Struct, frozen=True, tag="utterance", kw_only=True):
    """An agent says `text`; `layers` has its annotation by each source."""

    agent: str
    text: str
    time: int | None = None
    layers: tuple[Layer, ...] = ()
    selected: Selected | None = None
    """Set only where it differs from what `selected_items` computes (dialogue/views.py)."""
    extra: dict[str, Any] = {}


class Instruction(DefaultedStruct, frozen=True, tag="instruction", kw_only=True):
    """The guide asks the user to do what `text` says next."""

    text: str
    agent: str = GUIDE
    time: int | None = None
    extra: dict[str, Any] = {}


class Query(DefaultedStruct, frozen=True, tag="query", kw_only=True):
    """A query of the system to the knowledge base.

    `api` is the name of the call (STAR's API, SGD's method); `service` is its service in formats
    with services. `id` links it to its `Result`.
    """

    id: str
    api: str
    constraints: tuple[Constraint, ...] = ()
    service: str | None = None
    agent: str = SYSTEM
    time: int | None = None
    selected: Selected | None = None
    """As in `Utterance`."""
    extra: dict[str, Any] = {}


class Result(DefaultedStruct, frozen=True, tag="result", kw_only=True):
    """The answer of the knowledge base to a query: its items.

    `query` is the query's id; empty where items are given without a query (DSTC6's tasks 3 and 4).
    `total` is the number of items that satisfy the query, where the source gives it. `api` is set
    only where it differs from the query's.
    """

    query: str = ""
    items: tuple[Item, ...] = ()
    total: int | None = None
    api: str | None = None
    agent: str = KB
    time: int | None = None
    extra: dict[str, Any] = {}


class Candidate(Struct, frozen=True):
    """A reply that is offered: its id or action label, and its text where the source has one."""

    id: str
    text: str | None = None
    extra: dict[str, Any] = {}


class Options(DefaultedStruct, frozen=True, tag="options", kw_only=True):
    """Replies offered to `agent`.

    For a wizard, `text` is the input for which replies are suggested. `choice` is the id of the
    correct or chosen candidate; None where the act of the next utterance gives it.
    """

    agent: str = SYSTEM
    text: str | None = None
    candidates: tuple[Candidate, ...] = ()
    choice: str | None = None
    time: int | None = None
    selected: Selected | None = None
    """As in `Utterance`."""
    extra: dict[str, Any] = {}


class Selection(DefaultedStruct, frozen=True, tag="selection", kw_only=True):
    """The wizard switches to the task `task`, or selects a first or second item to see."""

    kind: Literal["task", "primary", "secondary"]
    agent: str = SYSTEM
    task: str | None = None
    selected: Selected | None = None
    time: int | None = None
    extra: dict[str, Any] = {}


class Completion(DefaultedStruct, frozen=True, tag="completion", kw_only=True):
    """An agent declares that the goal of the dialogue is reached."""

    agent: str = USER
    time: int | None = None
    extra: dict[str, Any] = {}


Event = Utterance | Instruction | Query | Result | Options | Selection | Completion
