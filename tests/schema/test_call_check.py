"""Calls compared with what tasks publish of them."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.dialogue import Constraint
from dialoom.schema import pack
from dialoom.schema.call_check import call_faults

HOTEL = pack.load("hotel_book")
(CALL,) = HOTEL.calls.values()
NAME = next(iter(HOTEL.slots["hotel"].values))
GOOD: dict[str, Any] = {
    "Name": NAME,
    "CustomerName": "Ada Quill",
    "StartDate": "2021-05-03",
    "EndDate": "2021-05-09",
    "RequestType": "Book",
}


def faults(**changed: Any) -> list[str]:
    inputs = {name: value for name, value in (GOOD | changed).items() if value is not None}
    constraints = [Constraint(name, "equal", (value,)) for name, value in inputs.items()]
    return list(call_faults(HOTEL, CALL, constraints))


def test_a_right_call_has_none() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"Name": "Nowhere"}, "Name"),
        ({"Name": None}, "Name: is required"),
        ({"CustomerName": "  "}, "CustomerName"),
        ({"CustomerName": 7}, "CustomerName"),
        ({"StartDate": "tomorrow"}, "StartDate"),
        ({"EndDate": "2021-05-01"}, "should hold"),
        ({"RequestType": "Perhaps"}, "RequestType"),
        ({"Nmae": NAME}, "Nmae"),
    ],
)
def test_a_wrong_call_is_told_why(changed: dict[str, Any], named: str) -> None:
    (fault,) = faults(**changed)
    assert named in fault


@pytest.mark.parametrize(
    ("task", "column", "value"),
    [
        ("restaurant_book", "Time", "7pm"),
        ("restaurant_book", "PartySize", "four"),
        ("restaurant_book", "PartySize", True),
        ("restaurant_book", "PartySize", 4.5),
        ("restaurant_book", "PartySize", 4000),
        ("apartment_search", "HasBalcony", "yes"),
    ],
)
def test_values_of_a_wrong_type(task: str, column: str, value: object) -> None:
    schema = pack.load(task)
    (call,) = schema.calls.values()
    messages = call_faults(schema, call, [Constraint(column, "equal", (value,))])  # type: ignore[arg-type]
    assert sum(fault.startswith(f"{column}: ") for fault in messages) == 1


def test_rows_may_be_left_out_by_any_column_of_the_table() -> None:
    task = pack.load("apartment_search")
    (call,) = task.calls.values()
    (column,) = {node.another for node in task.flow.nodes.values() if node.another}
    assert column not in [each.name for each in call.inputs]
    assert not list(call_faults(task, call, [Constraint(column, "not", ("x",))]))
