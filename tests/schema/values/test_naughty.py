"""No text makes a reader of values raise, whatever is written in it."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialoom.schema.slot import Slot
from dialoom.schema.values import TEXTS, find, kind, parse, read, render
from dialoom.schema.values.text import LONGEST_NUMBER, whole_number
from tests.naughty import STRINGS, naughty
from tests.strategies import sampled

SLOTS = (
    Slot(name="time", type="time", minimum="17:00", maximum="22:00", step=30),
    Slot(name="moment", type="time"),
    Slot(name="day", type="date", minimum="2021-05-03", maximum="2021-05-14"),
    Slot(name="year", type="date", minimum="0001-01-01", maximum="9999-12-31"),
    Slot(name="birthday", type="date"),
    Slot(name="guests", type="integer", minimum=1, maximum=9),
    Slot(name="count", type="integer"),
    Slot(name="price", type="amount", unit="dollars"),
    Slot(name="pets", type="boolean"),
    Slot(name="person", type="short text", examples=("Ada Quill",)),
    Slot(name="note", type="long text"),
    Slot(name="mode", type="category", values={"OnFoot": ("walking",), "Bus": ()}),
    Slot(name="floor", type="category", values={"1": (), "2": (), "10": ()}),
    Slot(name="opening", type="category", values={"17:00": (), "18:00": ()}),
    Slot(name="nth", type="category", values={"3rd": (), "4th": ()}),
    Slot(name="extras", type="categories", values={"wifi": (), "pool": ()}),
)
LANGUAGES = ("en", "de")
FOUND = (
    "5 at mıdnıght",
    "half paſt ſix at 3 pm",
    "at 3 or ſix",
    "3 ſeptember",
    "the fıfth of May 1",
    "9" * 309,
    "9" * 4301,
    "3" * 310 + ".5",
)
"""Texts that readers failed on."""


@sampled
@given(naughty(), st.sampled_from(SLOTS), st.sampled_from(LANGUAGES))
def test_no_text_makes_a_reader_of_values_fail(text: str, slot: Slot, language: str) -> None:
    for mention in find(text, (slot,), language):
        assert 0 <= mention.start < mention.end <= len(text)
        assert render(slot, mention.value, language)
        finite = not isinstance(mention.value, float) or math.isfinite(mention.value)
        assert finite
    parse(slot, text, language)
    read(slot, text, language)
    assert render(slot, text, language) if slot.type in TEXTS else kind(slot, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_naughty_string_is_read_with_all_slots_at_once(language: str) -> None:
    for text in (*STRINGS, *FOUND):
        find(text, SLOTS, language)
        for slot in SLOTS:
            parse(slot, text, language)


@given(naughty())
@example("9" * (LONGEST_NUMBER + 1))
def test_a_whole_number_has_few_digits_of_any_script(text: str) -> None:
    number = whole_number(text)
    assert number is None or (number >= 0 and len(text) <= LONGEST_NUMBER)


def test_digits_of_other_scripts_are_read() -> None:
    assert [parse(SLOTS[5], text) for text in ("٣", "१", "²", "①")] == [3, 1, None, None]
