"""The calls of a task and the tables they work on.

Call(name="table_book", effect="book", table="bookings", key=("Name", "Time"),
     inputs=(Column(name="Name", slot="name", required=True),))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from dialoom.dialogue.annotation import DefaultedStruct, Struct, Value
from dialoom.dialogue.constraint import Constraint
from dialoom.dialogue.event import CHECK
from dialoom.schema.condition import Condition

Effect = Literal["search", "find", "book", "insert", "update"]
"""The effect of a call: select rows by constraints, select the row of a key, check and book a key,
add a row, change the row of a key."""

Outcome = Literal[
    "found", "nothing", "available", "unavailable", "done", "failed", "refused", "error"
]
"""The outcomes of a call: of search and find; of book with Check; of book with Book, insert and
update; of any call that a rule refuses; of any call to an API that is out of order."""


class Column(DefaultedStruct, frozen=True, kw_only=True):
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
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    step: int | float = 1
    along: str | None = None
    required: bool = False
    required_if: dict[str, tuple[str, ...]] = {}
    """Other input to the values under which this one is required."""
    title: str = ""
    """Its name for people, where that is another than its name."""
    default: Value = None
    """The value that an input has when it is left out."""
    description: str = ""
    """A description for agents, if it differs from the slot's."""
    weights: dict[str, int] = {}
    """Value to how often it is drawn for a row; the others count once."""


class Table(Struct, frozen=True, kw_only=True):
    """A table of the knowledge base with `rows` at first: those in `given`, then drawn ones."""

    name: str
    rows: int
    columns: tuple[Column, ...]
    given: tuple[dict[str, Any], ...] = ()


class Further(Struct, frozen=True, kw_only=True):
    """A row of another table that a call changes, or adds without `key` (see arithmetic.py)."""

    table: str
    key: dict[str, Value] = {}
    sets: dict[str, Value] = {}


class Call(DefaultedStruct, frozen=True, kw_only=True):
    """A call of the task: its inputs, outputs, table and effect.

    `key` inputs select a row, or can be booked only once. `answers` are the outputs, with values,
    by which a result shows an outcome. A condition in `refuses` over inputs and row refuses
    it. `sets` are expressions of new values by column, `also` changes other tables. `fails` is the
    probability (0 to 1) that the API is out of order. `published` is a server's JSON Schema.
    `drafted` marks an effect that an importer made up.
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
    sets: dict[str, Value] = {}
    also: tuple[Further, ...] = ()
    fails: float = 0.0
    published: dict[str, Any] | None = None
    drafted: bool = False

    @property
    def required(self) -> tuple[str, ...]:
        """The inputs that must be given whatever the others are."""
        return tuple(column.name for column in self.inputs if column.required)

    @property
    def writes(self) -> bool:
        """True if the call may change its table."""
        return self.effect in ("book", "insert", "update")

    @property
    def requests(self) -> tuple[str, ...]:
        """The inputs of the request type, whose value is `CHECK` or `BOOK`."""
        return tuple(column.name for column in self.inputs if column.type == "request")


def requested(call: Call, constraints: Iterable[Constraint]) -> str | None:
    """Return a query's request (`CHECK`, `BOOK`); None if the call has no such input."""
    return next((str(each.value) for each in constraints if each.slot in call.requests), None)


def lacking(call: Call, values: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the missing inputs that are required, always or because of other inputs' values."""
    texts = {name: str(value) for name, value in values.items()}
    return tuple(
        column.name
        for column in call.inputs
        if column.name not in texts
        and (column.required or any(texts.get(n) in v for n, v in column.required_if.items()))
    )


def outcomes(
    call: Call, constraints: Iterable[Constraint], items: Sequence[Mapping[str, Any]]
) -> tuple[Outcome, ...]:
    """Return the outcomes that a result is consistent with."""
    item = items[0] if items else {}
    answers = call.answers.items()
    names = {
        name
        for name, fields in answers
        if fields and all(item.get(k) == v for k, v in fields.items())
    }
    faults: tuple[Outcome, ...] = ("error", "refused")
    if not names.isdisjoint(faults):
        return tuple(name for name in faults if name in names)[:1]
    if call.effect in ("search", "find"):
        return ("nothing" if not item or "nothing" in names else "found",)
    check = requested(call, constraints) == CHECK
    possible: tuple[Outcome, ...] = ("available", "unavailable") if check else ("done", "failed")
    return tuple(name for name in possible if name in names or not call.answers.get(name))


class Intent(Struct, frozen=True, kw_only=True):
    """Something a user may come for, and the calls that serve it."""

    name: str
    description: str
    calls: tuple[str, ...]
