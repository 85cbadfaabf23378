"""A small task's tables and calls, one of each effect and each kind of column."""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import Constraint
from dialoom.kb import KnowledgeBase
from dialoom.schema.call import Call, Column, Table
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

SLOTS = {
    slot.name: slot
    for slot in (
        Slot(name="place", type="category", values={"Copper Pan": ("the pan",), "Juniper": ()}),
        Slot(name="time", type="time", minimum="17:00", maximum="18:30", step=30),
        Slot(name="day", type="date", minimum="2021-05-03", maximum="2021-05-09"),
        Slot(name="guests", type="integer", minimum=1, maximum=10),
        Slot(name="name", type="short text", examples=("Ada Moreau", "Bram Okafor")),
        Slot(name="price", type="amount", minimum=10, maximum=20, step=2.5),
        Slot(name="extras", type="categories", values={"pool": (), "bar": (), "gym": ()}),
        Slot(name="open", type="boolean"),
        Slot(name="area", type="category", values={"North": (), "South": (), "East": ()}),
    )
}


def columns(**slots: str) -> tuple[Column, ...]:
    """Return columns that take their values from slots."""
    return tuple(Column(name=name, slot=slot) for name, slot in slots.items())


HOTELS = Table(
    name="hotels",
    rows=40,
    columns=(
        Column(name="Id", type="serial", minimum=100),
        *columns(Area="area", Extras="extras", Price="price", Open="open", Host="name"),
        Column(name="Stars", values=(1, 2, 3, 4, 5)),
        Column(name="Motto", type="short text", values=("Sleep.", "Rest.", "Dream.")),
        Column(name="Sign", type="category", values=("moon", "sun", "star"), along="Motto"),
        Column(name="Way", type="steps", lists=(("Go left.", "Stop."), ("Go on.",))),
    ),
)
BOOKINGS = Table(
    name="bookings",
    rows=3,
    columns=(
        *columns(Name="place", Time="time", Guests="guests", Guest="name", Wishes="extras"),
        Column(name="Number", type="serial"),
        Column(name="Table", type="integer", minimum=1, maximum=9),
    ),
)
REQUEST = Column(name="RequestType", type="request")
MESSAGES = {
    "available": {"Message": "Available"},
    "unavailable": {"Message": "Taken"},
    "done": {"Message": "Confirmed"},
    "failed": {"Message": "Failed"},
}
BOOKED = columns(Name="place", Time="time", Guests="guests", Guest="name", Wishes="extras")

CALLS = (
    Call(
        name="hotel_search",
        effect="search",
        table="hotels",
        inputs=(*columns(Area="area", Extras="extras", Price="price"), Column(name="Note")),
    ),
    Call(
        name="hotel_find", effect="find", table="hotels", key=("Id",), inputs=columns(Id="guests")
    ),
    Call(
        name="table_book",
        effect="book",
        table="bookings",
        key=("Name", "Time"),
        inputs=(*BOOKED, Column(name="Note", type="long text"), REQUEST),
        outputs=(
            Column(name="Message", values=("Available",)),
            Column(name="Deposit", type="integer", minimum=5, maximum=50),
        ),
        answers=MESSAGES,
    ),
    Call(
        name="table_change",
        effect="update",
        table="bookings",
        key=("Name", "Time"),
        inputs=(*BOOKED, REQUEST),
        answers=MESSAGES,
    ),
    Call(name="table_note", effect="insert", table="bookings", inputs=BOOKED, answers=MESSAGES),
    Call(name="table_search", effect="search", table="bookings", inputs=BOOKED),
)

TASK = TaskSchema(
    id="sample",
    domain="sample",
    slots=SLOTS,
    tables={table.name: table for table in (HOTELS, BOOKINGS)},
    calls={call.name: call for call in CALLS},
)


def filled(seed: int = 1) -> KnowledgeBase:
    """Return a knowledge base with the sample's rows."""
    kb = KnowledgeBase()
    kb.populate(TASK, seed)
    return kb


def asking(**values: Any) -> tuple[Constraint, ...]:
    """Return equal constraints."""
    return tuple(Constraint(name, "equal", (value,)) for name, value in values.items())


def free(kb: KnowledgeBase) -> dict[str, Any]:
    """Return a key that no booking has."""
    keys = {(row["Name"], row["Time"]) for row in kb.rows("bookings")}
    for name in SLOTS["place"].values:
        for time in ("17:00", "17:30", "18:00", "18:30"):
            if (name, time) not in keys:
                return {"Name": name, "Time": time}
    raise LookupError("every table is taken")
