"""Events: the closed, tagged union that a dialogue is an ordered log of.

Each event has the agent it comes from and a time in milliseconds (None where the source has none).
Speakers may repeat: an utterance is only one kind of event.

    Instruction  the guide tells the user what to do
    Utterance    somebody says something
    Query        the system asks the knowledge base; joined to its Result by id
    Result       the knowledge base answers
    Options      replies offered: suggestions shown to a wizard, candidates of a ranking task
    Selection    the wizard turns to another task or item
    Completion   an agent declares the dialogue accomplished
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Layer, Struct
from dialoom.dialogue.constraint import Constraint

USER, SYSTEM, KB, GUIDE = "user", "system", "kb", "guide"
"""The agents: the user, the system (or the wizard playing it), the knowledge base, the guide."""

Item = dict[str, Any]
"""A knowledge-base item: attribute to JSON value."""


class Selected(Struct, frozen=True):
    """The knowledge-base items the wizard has before them; None where there is none."""

    primary: Item | None = None
    secondary: Item | None = None


class Utterance(Struct, frozen=True, tag="utterance", kw_only=True):
    """Somebody says `text`; `layers` hold what annotators, simulators and models say about it."""

    agent: str
    text: str
    time: int | None = None
    layers: tuple[Layer, ...] = ()
    selected: Selected | None = None
    """Set only where the view `selected_items` would not give it (see dialogue/views.py)."""
    extra: dict[str, Any] = {}


class Instruction(Struct, frozen=True, tag="instruction", kw_only=True):
    """The guide tells the user, in `text`, what to do next."""

    text: str
    agent: str = GUIDE
    time: int | None = None
    extra: dict[str, Any] = {}


class Query(Struct, frozen=True, tag="query", kw_only=True):
    """The system asks the knowledge base.

    `api` is the call's name (STAR's API, SGD's method); `service` the service it belongs to where
    the format has services. `id` joins it to its `Result`.
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


class Result(Struct, frozen=True, tag="result", kw_only=True):
    """The knowledge base answers the query `query` with items.

    `query` is empty where the items were there before anyone asked (DSTC6's tasks 3 and 4).
    `total` is how many items satisfied the query, where the source says so. `api` is set only
    where it differs from the query's.
    """

    query: str = ""
    items: tuple[Item, ...] = ()
    total: int | None = None
    api: str | None = None
    agent: str = KB
    time: int | None = None
    extra: dict[str, Any] = {}


class Candidate(Struct, frozen=True):
    """One reply on offer: its id or action label, and its text where the source has one."""

    id: str
    text: str | None = None
    extra: dict[str, Any] = {}


class Options(Struct, frozen=True, tag="options", kw_only=True):
    """Replies offered to `agent`.

    For a wizard, `text` is what they typed to get these suggestions. `choice` is the id of the
    candidate that is right or was taken, unless the utterance that follows tells by its act.
    """

    agent: str = SYSTEM
    text: str | None = None
    candidates: tuple[Candidate, ...] = ()
    choice: str | None = None
    time: int | None = None
    selected: Selected | None = None
    """As in `Utterance`."""
    extra: dict[str, Any] = {}


class Selection(Struct, frozen=True, tag="selection", kw_only=True):
    """The wizard turns to the task `task`, or puts a first or second item before them."""

    kind: Literal["task", "primary", "secondary"]
    agent: str = SYSTEM
    task: str | None = None
    selected: Selected | None = None
    time: int | None = None
    extra: dict[str, Any] = {}


class Completion(Struct, frozen=True, tag="completion", kw_only=True):
    """An agent declares that the dialogue has reached its goal."""

    agent: str = USER
    time: int | None = None
    extra: dict[str, Any] = {}


Event = Utterance | Instruction | Query | Result | Options | Selection | Completion
