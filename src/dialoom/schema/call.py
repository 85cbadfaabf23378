"""What a task knows besides its flow: slots, tables, and the calls that work on tables.

Slot(name="guests", type="integer", minimum=1, maximum=10)
Call(api="table_book", effect="book", table="bookings", key=("Name", "Time"),
     inputs=(Column(name="Name", slot="name", required=True),))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.constraint import Constraint
from dialoom.schema.condition import Condition

Effect = Literal["search", "find", "book", "insert", "update"]
"""What a call does: pick rows by constraints, pick the row of a key, check and take a key, add a
row, change the row of a key."""

Outcome = Literal[
    "found", "nothing", "available", "unavailable", "done", "failed", "refused", "error"
]
"""How a call may end: search and find; book with Check; book with Book, insert and update; any call
that a rule forbids; any call while what it calls is out of order."""


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
        refuses: The rules: where one of them holds of the inputs and the row, the call is refused.
        fails: The probability with which what it calls is out of order.
    """

    name: str
    effect: Effect = "search"
    description: str | None = None
    table: str = ""
    key: tuple[str, ...] = ()
    inputs: tuple[Column, ...] = ()
    outputs: tuple[Column, ...] = ()
    answers: dict[str, dict[str, Any]] = {}
    refuses: tuple[Condition, ...] = ()
    fails: float = 0.0

    @property
    def required(self) -> tuple[str, ...]:
        """The inputs that must be given whatever the others are."""
        return tuple(column.name for column in self.inputs if column.required)

    @property
    def requests(self) -> tuple[str, ...]:
        """The inputs that tell what is requested of it, such as to check or to book."""
        return tuple(column.name for column in self.inputs if column.type == "request")


def requested(call: Call, constraints: Iterable[Constraint]) -> str | None:
    """Return what a query requests of a call ("Check", "Book"), if the call tells that apart."""
    return next((str(each.value) for each in constraints if each.slot in call.requests), None)


def outcomes(
    call: Call, constraints: Iterable[Constraint], items: Sequence[Mapping[str, Any]]
) -> tuple[Outcome, ...]:
    """Return how a call may have ended; several where what came back does not tell.

    Args:
        call: The call.
        constraints: What was asked.
        items: What came back.
    """
    item = items[0] if items else {}
    answers = call.answers.items()
    told = {
        name for name, said in answers if said and all(item.get(k) == v for k, v in said.items())
    }
    besides: tuple[Outcome, ...] = ("error", "refused")
    if not told.isdisjoint(besides):
        return tuple(name for name in besides if name in told)[:1]
    if call.effect in ("search", "find"):
        return ("nothing" if not item or "nothing" in told else "found",)
    check = requested(call, constraints) == "Check"
    possible: tuple[Outcome, ...] = ("available", "unavailable") if check else ("done", "failed")
    return tuple(name for name in possible if name in told or not call.answers.get(name))


class Intent(Struct, frozen=True, kw_only=True):
    """Something a user may come for, and the calls that serve it."""

    name: str
    description: str
    calls: tuple[str, ...]
