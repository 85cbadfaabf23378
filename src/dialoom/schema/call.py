"""What a task knows besides its flow: slots, tables, and the calls that work on tables.

Slot(name="guests", type="integer", minimum=1, maximum=10)
Call(api="table_book", effect="book", table="bookings", key=("Name", "Time"),
     inputs=(Column(name="Name", slot="name", required=True),))
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Struct

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
