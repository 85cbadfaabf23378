"""How values are said: the plainest form first, and each with its annotation."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.schema.call import Column
from dialoom.schema.slot import Slot
from dialoom.schema.values.forms import ValueForms

SLOTS = {
    slot.name: slot
    for slot in (
        Slot(name="boat", type="category", values={"Heron": ("the heron",), "RedSwan": ("swan",)}),
        Slot(name="extras", type="categories", values={"Oars": ("two oars",), "Vest": ()}),
        Slot(name="time", type="time", minimum="09:00", maximum="16:00"),
        Slot(name="day", type="date", minimum="2021-05-01", maximum="2021-05-30"),
        Slot(name="born", type="date", minimum="1950-01-01", maximum="1999-12-31"),
        Slot(name="crew", type="integer"),
        Slot(name="price", type="amount", unit="dollars"),
        Slot(name="dry", type="boolean"),
        Slot(name="name", type="short text", examples=("Ada",)),
    )
}
WORDS = ValueForms(SLOTS, "en")


@pytest.mark.parametrize(
    ("slot", "value", "forms"),
    [
        ("boat", "Heron", ["Heron", "the heron"]),
        ("boat", "RedSwan", ["swan"]),
        ("time", "15:30", ["3:30 pm", "3:30pm", "15:30", "half past 3"]),
        ("time", "09:00", ["9 am", "9am", "9:00 am", "9:00am", "09:00", "9 o'clock"]),
        ("time", "12:30", ["12:30 pm", "12:30pm", "12:30", "half past 12"]),
        ("day", "2021-05-03", ["May 3rd", "May 3"]),
        ("born", "1977-12-01", ["December 1st 1977", "December 1 1977"]),
        ("crew", 4, ["4", "four"]),
        ("price", 20, ["20 dollars"]),
        ("dry", True, ["yes"]),
        ("dry", False, ["no"]),
        ("name", "Ada", ["Ada"]),
    ],
)
def test_forms(slot: str, value: Any, forms: list[str]) -> None:
    phrases = WORDS.forms(slot, value)
    assert [form.text for form in phrases][: len(forms)] == forms
    assert all(form.canonical == value for form in phrases)
    assert all(form.state[0] == value for form in phrases)


def test_argument_keeps_the_canonical_value_only_where_it_differs() -> None:
    plain, variant = WORDS.forms("boat", "Heron")
    assert plain.argument.canonical is None
    assert variant.argument.values == ("the heron",)
    assert variant.argument.canonical == ("Heron",)
    assert variant.state == ("Heron", "the heron")


def test_several_values_have_a_piece_each() -> None:
    phrase = WORDS.forms("extras", ["Oars", "Vest"])[1]
    assert phrase.text == "two oars and Vest"
    assert [phrase.text[span.start : span.end] for span in phrase.spans] == ["two oars", "Vest"]
    assert phrase.argument.canonical == ("Oars", "Vest")


def test_outputs_are_shown_as_their_slot_is_said() -> None:
    assert WORDS.show(Column(name="Price", slot="price"), 20).text == "20 dollars"
    assert WORDS.show(Column(name="Message"), "Free").text == "Free"
    assert WORDS.show(Column(name="Sizes"), [1, 2]).text == "1 and 2"
