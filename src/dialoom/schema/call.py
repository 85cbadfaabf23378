"""What a task knows besides its flow: slots, tables, and the calls that work on tables.

Slot(name="guests", type="integer", minimum=1, maximum=10)
Call(api="table_book", effect="book", table="bookings", key=("Name", "Time"),
     inputs=(Column(name="Name", slot="name", required=True),))
"""

from __future__ import annotations

from typing import Any, Literal

from dialoom.dialogue.annotation import Struct, Value

Effect = Literal["search", "find", "book", "insert", "update"]
"""What a call does: pick rows by constraints, pick the row of a key, check and take a key, add a
row, change the row of a key."""

Outcome = Literal["found", "nothing", "available", "unavailable", "done", "failed"]
"""How a call may end: search and find; book with Check; book with Book, insert and update."""


class Column(Struct, frozen=True, kw_only=True):
    """A column of a table, or an input or output of a call: its values are a slot's, or its own.

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
    title: str = ""
    """Its name for people, where that is another than its name."""
    default: Value = None
    """The value that an input has when it is left out."""


class Table(Struct, frozen=True, kw_only=True):
    """A table of the knowledge base with how many rows are drawn at the start."""

    name: str
    rows: int
    columns: tuple[Column, ...]


class Call(Struct, frozen=True, kw_only=True):
    """A call of the task: what goes in, what comes out, and what it does to which table.

    Attributes:
        name: Its name.
        effect: What it does.
        description: What it is for; None where only the intents it serves tell.
        table: The table it works on; empty where none is known.
        key: The inputs that pick a row, or that can be taken only once.
        inputs: What goes in.
        outputs: What comes out besides the row.
        answers: Outcome to the outputs that tell of it.
    """

    name: str
    effect: Effect = "search"
    description: str | None = None
    table: str = ""
    key: tuple[str, ...] = ()
    inputs: tuple[Column, ...] = ()
    outputs: tuple[Column, ...] = ()
    answers: dict[str, dict[str, Any]] = {}

    @property
    def required(self) -> tuple[str, ...]:
        """The inputs that must be given whatever the others are."""
        return tuple(column.name for column in self.inputs if column.required)


class Intent(Struct, frozen=True, kw_only=True):
    """Something a user may come for, and the calls that serve it."""

    name: str
    description: str
    calls: tuple[str, ...]
