from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.schema.slot import Slot
from dialoom.schema.spelling import listed, read, sayable, spell, values

TIME = Slot(name="time", type="time", minimum="00:00", maximum="23:45", step=15)
DAY = Slot(name="day", type="date", minimum="2021-01-01", maximum="2021-12-31")
SIZE = Slot(name="size", type="integer", minimum=1, maximum=40)
COST = Slot(name="cost", type="amount", minimum=0, maximum=10, step=0.5, unit="dollars")
MODE = Slot(name="mode", type="category", values={"OnFoot": ("walking", "on foot"), "Car": ()})
TRUTH = Slot(name="truth", type="boolean")

TYPED = [TIME, DAY, SIZE, COST, MODE, TRUTH]


@given(
    st.sampled_from(TYPED).flatmap(lambda s: st.tuples(st.just(s), st.sampled_from([*values(s)])))
)
def test_what_is_said_of_a_value_means_that_value(case: tuple[Slot, Any]) -> None:
    slot, value = case
    said = spell(slot, value)
    assert said
    assert [read(slot, text) for text in said] == [value] * len(said)
    assert [read(slot, f" {text.upper()} ") for text in said] == [value] * len(said)


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_dates_are_spelled_without_the_year(day: date) -> None:
    slot = Slot(name="d", type="date")
    assert all(str(day.day) in text for text in spell(slot, day.isoformat()))


@pytest.mark.parametrize(
    ("slot", "value", "said"),
    [
        (TIME, "17:30", ("5:30 pm", "17:30")),
        (TIME, "12:00", ("12 pm", "12:00", "noon", "midday")),
        (TIME, "later", ("later",)),
        (DAY, "2021-05-03", ("3 May", "May 3", "May 3rd", "the 3rd of May")),
        (DAY, "2021-02-30", ("2021-02-30",)),
        (SIZE, 4, ("4", "four")),
        (COST, 2.5, ("2.5 dollars",)),
        (MODE, "OnFoot", ("walking", "on foot")),
        (MODE, "Car", ("Car",)),
        (TRUTH, False, ("no",)),
        (Slot(name="n", type="short text"), "Ada Moreau", ("Ada Moreau",)),
    ],
)
def test_how_values_are_said(slot: Slot, value: Any, said: tuple[str, ...]) -> None:
    assert spell(slot, value) == said


def test_several_values_are_joined() -> None:
    slot = Slot(name="p", type="categories", values={"park": ("green",), "pool": (), "pub": ()})
    assert spell(slot, ["park", "pool", "pub"]) == ("park, pool and pub", "green, pool and pub")
    assert spell(slot, ["pub"]) == ("pub",)


def test_free_text_and_what_no_value_is() -> None:
    assert read(Slot(name="n", type="long text"), " as it is ") == "as it is"
    assert read(MODE, "by boat") is None
    assert read(TRUTH, "perhaps") is None
    assert read(TRUTH, "Yes") is True


def test_listed_values_of_published_apis() -> None:
    month = Slot(name="d", type="date", minimum="2021-05-30", maximum="2021-06-02")
    assert listed(month) == ("30th", "31st", "1st", "2nd")
    assert (listed(DAY) or ())[:2] == ("1 January", "2 January")
    assert listed(MODE) == ("OnFoot", "Car")
    assert listed(SIZE) is None


def test_dates_that_would_look_alike_are_not_listed() -> None:
    year = Slot(name="born", type="date", minimum="2001-01-01", maximum="2001-12-31")
    assert len(listed(year) or ()) == 365
    assert listed(replace(year, maximum="2002-01-01")) is None
    assert listed(replace(year, maximum="2060-01-01")) is None


@pytest.mark.parametrize(
    ("value", "whether"),
    [
        ("North", True),
        ("3rd floor", True),
        ("Route 66", True),
        ("at 9:30am", True),
        ("Leonardo DiCaprio", True),
        ("OnFoot", False),
        ("on_foot", False),
        ("A38x", False),
    ],
)
def test_what_can_be_said_as_it_is(value: str, whether: bool) -> None:
    assert sayable(value) is whether
