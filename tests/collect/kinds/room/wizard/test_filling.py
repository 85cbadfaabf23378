from __future__ import annotations

import pytest

from dialoom.collect.kinds.room.wizard.filling import READ, Filler
from dialoom.schema import pack
from dialoom.schema.template import parse

BOOK = Filler(pack.load("restaurant_book"))
SEATS = parse("{Name} can seat {PartySize} at {Time}.")


def test_the_item_goes_before_what_is_known() -> None:
    values = {"Name": "Halfway Inn", "PartySize": 2, "Time": "20:00"}
    assert BOOK.fill(SEATS, {"Name": "Juniper"}, values) == "Juniper can seat 2 at 8 pm."


@pytest.mark.parametrize("missing", [{}, {"Time": None}, {"Time": ""}])
def test_what_is_not_known_leaves_no_text_but_a_sketch(missing: dict[str, str | None]) -> None:
    item = {"Name": "Juniper", "PartySize": 4} | missing
    assert BOOK.fill(SEATS, item) is None
    assert BOOK.sketch(SEATS, item) == "Juniper can seat 4 at [time]."


def test_names_are_those_of_slots_or_columns() -> None:
    assert BOOK.sketch(SEATS) == "[restaurant] can seat [guests] at [time]."
    assert BOOK.sketch(parse("Your {bookingNumber:s}.")) == "Your [booking number]."


def test_published_spellings_of_an_attribute_are_found() -> None:
    text = parse("{restaurant_name:s} awaits you.")
    assert BOOK.fill(text, {"Name": "Juniper"}) == "Juniper awaits you."


def test_the_element_that_comes_next_is_read_out() -> None:
    task = pack.load("trip_directions")
    node = next(node for node in task.flow.nodes.values() if node.reads)
    item = {str(node.reads): ["Turn left.", "Walk on."]}
    step = parse("{step}")
    assert Filler(task).fill(step, item, {}, node) == "Turn left."
    assert Filler(task).fill(step, item, {READ: 1}, node) == "Walk on."
    assert Filler(task).fill(step, item, {READ: 2}, node) is None
    assert Filler(task).sketch(step, item, {READ: 2}, node) == "[step]"
