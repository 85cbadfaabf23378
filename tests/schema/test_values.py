"""Typed values: found in what people say, parsed, rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.schema.task import Parameter
from dialoom.schema.values import find, hours, kind, parse, render, same
from tests.strategies import unhurried

HOURS = [f"{hour} {half}" for half in ("am", "pm") for hour in (12, *range(1, 12))]
TIME = Parameter(name="Start", type="Categorical", categories=HOURS)
DATE = Parameter(
    name="Date",
    type="Categorical",
    categories=["1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 21))],
)
DAY = Parameter(name="Day", type="Categorical", categories=["Monday", "Tuesday", "Wednesday"])
PLACE = Parameter(
    name="Garden", type="Categorical", categories=["Rose Garden", "Herb Garden", "Moss Garden"]
)
MODE = Parameter(name="Mode", type="Categorical", categories=["Riding", "Walking"])
SIZE = Parameter(name="Size", type="Integer", minimum=1, maximum=40)
PAID = Parameter(name="Paid", type="Categorical", categories=["Yes", "No"])
NAME = Parameter(name="Guest", type="ShortString")


def values(text: str, parameter: Parameter) -> list[object]:
    return [mention.value for mention in find(text, parameter)]


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        (TIME, "time"),
        (DATE, "ordinal"),
        (DAY, "choice"),
        (SIZE, "number"),
        (PAID, "boolean"),
        (Parameter(name="Lit", type="Boolean"), "boolean"),
        (NAME, "name"),
        (Parameter(name="Wish", type="LongString"), "text"),
    ],
)
def test_kind_is_read_off_the_values(parameter: Parameter, expected: str) -> None:
    assert kind(parameter) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 7pm", ["7 pm"]),
        ("between 3-5 pm please", ["3 pm", "5 pm"]),
        ("from 9 to 11am", ["9 am", "11 am"]),
        ("8:30 PM, or noon", ["8 pm", "12 pm"]),
        ("6 o'clock in the evening", ["6 pm"]),
        ("for 7 people", []),
    ],
)
def test_hours(text: str, expected: list[str]) -> None:
    assert values(text, TIME) == expected


def test_dates() -> None:
    assert values("may 3rd until the fifth", DATE) == ["3rd", "5th"]
    assert values("june 12", DATE) == ["12th"]
    assert values("room 12", DATE) == []


def test_choices_by_their_telling_words() -> None:
    assert values("the herb one, not the moss garden", PLACE) == ["Herb Garden", "Moss Garden"]
    assert values("any garden", PLACE) == []
    assert values("wed or tusday", DAY) == ["Wednesday", "Tuesday"]
    assert values("I would walk", MODE) == ["Walking"]


def test_numbers_within_bounds() -> None:
    assert values("seven, 12 or 500, at 3:15", SIZE) == [7, 12]


def test_truth() -> None:
    assert values("yes", PAID) == [True]


def test_names_have_no_form() -> None:
    assert find("I am Ada", NAME) == ()
    assert parse(" Ada ", NAME) == "Ada"
    assert parse("  ", NAME) is None


def test_places_of_mentions() -> None:
    text = "maybe Tuesday?"
    (mention,) = find(text, DAY)
    assert text[mention.start : mention.end] == "Tuesday"


def test_rendering() -> None:
    assert render(True) == "yes"
    assert render(["a", 2]) == "a, 2"


@pytest.mark.parametrize("parameter", [TIME, DATE, DAY, PLACE, MODE])
def test_a_rendered_value_is_parsed_again(parameter: Parameter) -> None:
    for value in parameter.values:
        assert parse(f"Let us say {render(value)}.", parameter) == value


@unhurried
@given(st.text(max_size=80), st.sampled_from([TIME, DATE, DAY, PLACE, MODE, SIZE, PAID, NAME]))
def test_any_text_is_read(text: str, parameter: Parameter) -> None:
    for mention in find(text, parameter):
        assert 0 <= mention.start < mention.end


@unhurried
@given(st.text(max_size=60))
def test_hours_are_hours(text: str) -> None:
    assert all(0 <= mention.value <= 23 for mention in hours(text))


@unhurried
@given(st.text(max_size=12), st.text(max_size=12))
def test_likeness_has_no_order(one: str, other: str) -> None:
    assert same(one, other) == same(other, one)
    assert same(one, one)
