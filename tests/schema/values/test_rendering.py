from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.formats.star.publishing import listed
from dialoom.schema.slot import Slot
from dialoom.schema.values import read, render, samples, sayable

TIME = Slot(name="time", type="time", minimum="00:00", maximum="23:45", step=15)
DAY = Slot(name="day", type="date", minimum="2021-01-01", maximum="2021-12-31")
SIZE = Slot(name="size", type="integer", minimum=1, maximum=40)
COST = Slot(name="cost", type="amount", minimum=0, maximum=10, step=0.5, unit="dollars")
MODE = Slot(name="mode", type="category", values={"OnFoot": ("walking", "on foot"), "Car": ()})
TRUTH = Slot(name="truth", type="boolean")

TYPED = [TIME, DAY, SIZE, COST, MODE, TRUTH]


@given(
    st.sampled_from(TYPED).flatmap(lambda s: st.tuples(st.just(s), st.sampled_from([*samples(s)])))
)
def test_what_is_said_of_a_value_means_that_value(case: tuple[Slot, Any]) -> None:
    slot, value = case
    texts = render(slot, value)
    assert texts
    assert [read(slot, text) for text in texts] == [value] * len(texts)
    assert [read(slot, f" {text.upper()} ") for text in texts] == [value] * len(texts)


@given(st.dates(date(1900, 1, 1), date(2100, 12, 31)))
def test_dates_of_an_open_slot_are_said_with_their_year(day: date) -> None:
    slot = Slot(name="d", type="date")
    assert {read(slot, text) for text in render(slot, day.isoformat())} == {day.isoformat()}


@pytest.mark.parametrize(
    ("slot", "value", "said"),
    [
        (
            TIME,
            "17:30",
            ("5:30 pm", "5:30pm", "17:30", "half past 5", "half past five", "five thirty"),
        ),
        (TIME, "19:30", ("7:30 pm", "7:30pm", "19:30")),
        (
            TIME,
            "11:45",
            (
                "11:45 am",
                "11:45am",
                "11:45",
                "quarter to 12",
                "quarter to twelve",
                "eleven forty-five",
            ),
        ),
        (TIME, "later", ("later",)),
        (DAY, "2021-02-30", ("2021-02-30",)),
        (SIZE, 4, ("4", "four")),
        (SIZE, 12, ("12", "twelve", "a dozen")),
        (COST, 2.5, ("2.5 dollars", "$2.5", "2.5 bucks")),
        (COST, 1, ("1 dollar", "one dollar", "$1", "1 bucks")),
        (MODE, "OnFoot", ("walking", "on foot")),
        (MODE, "Car", ("Car",)),
        (TRUTH, False, ("no", "nope", "nah")),
        (Slot(name="n", type="short text"), "Ada Moreau", ("Ada Moreau",)),
    ],
)
def test_how_values_are_said(slot: Slot, value: Any, said: tuple[str, ...]) -> None:
    assert render(slot, value) == said


def test_ways_to_say_a_time_and_a_date() -> None:
    assert {"12 pm", "noon", "midday", "12 o'clock"} <= {*render(TIME, "12:00")}
    assert render(DAY, "2021-05-03")[:3] == ("May 3rd", "May 3", "3 May")
    assert {"the third of May", "the 3rd of May", "May third"} <= {*render(DAY, "2021-05-03")}
    two = replace(DAY, maximum="2022-12-31")
    assert render(two, "2021-05-03")[:2] == ("May 3rd 2021", "May 3 2021")
    week = replace(DAY, minimum="2021-05-01", maximum="2021-05-09")
    assert "the third" in render(week, "2021-05-03")
    assert render(TIME, "17:30", "de")[:2] == ("17:30", "17:30 Uhr")
    assert "halb sechs" in render(TIME, "17:30", "de")
    assert render(DAY, "2021-05-03", "de")[0] == "3. Mai"


def test_several_values_are_joined() -> None:
    slot = Slot(name="p", type="categories", values={"park": ("green",), "pool": (), "pub": ()})
    assert render(slot, ["park", "pool", "pub"]) == ("park, pool and pub", "green, pool and pub")
    assert render(slot, ["pub"]) == ("pub",)


def test_free_text_and_what_no_value_is() -> None:
    assert read(Slot(name="n", type="long text"), " as it is ") == "as it is"
    assert read(MODE, "by boat") is None
    assert read(TRUTH, "perhaps") is None
    assert read(TRUTH, "Yes") is True


def test_listed_values_of_published_apis() -> None:
    month = Slot(name="d", type="date", minimum="2021-05-30", maximum="2021-06-02")
    assert listed(month) == ("30th", "31st", "1st", "2nd")
    assert (listed(DAY) or ())[:2] == ("January 1st", "January 2nd")
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
