"""Expressions of columns: what they come to, what has no value, and which names they have."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.schema.arithmetic import ExpressionError, evaluate, is_arithmetic, names

NUMBERS = st.integers(0, 10**6).map(lambda cents: cents / 100)
SUMS = st.lists(st.tuples(st.sampled_from("+-*"), NUMBERS), min_size=1, max_size=4)


def expected(first: float, rest: list[tuple[str, float]]) -> Fraction:
    """Return a sum of products, in fractions: what is added up is the products."""
    products = [Fraction(str(first))]
    for sign, number in rest:
        exact = Fraction(str(number))
        if sign == "*":
            products[-1] *= exact
        else:
            products.append(exact if sign == "+" else -exact)
    return sum(products, Fraction(0))


@given(NUMBERS, SUMS)
def test_products_come_before_sums(first: float, rest: list[tuple[str, float]]) -> None:
    values = {"First": first, **{f"N{place}": number for place, (_, number) in enumerate(rest)}}
    text = " ".join(["First", *(f"{sign} N{place}" for place, (sign, _) in enumerate(rest))])
    right = expected(first, rest)
    if abs(right) > 10**14:
        return  # near the limit of what is a value
    total = evaluate(text, values)
    assert abs(Fraction(total) - right) <= Fraction(1, 100) + abs(right) / 10**12
    assert names(text) == tuple(values)


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_what_is_paid_is_what_is_missing(balance: int, price: int) -> None:
    values = {"Balance": balance / 100, "Price": price / 100}
    left = evaluate("Balance - Price", values)
    assert round(100 * left) == balance - price
    assert evaluate("Left + Price", {**values, "Left": left}) == values["Balance"]


@given(st.dates(date(1990, 1, 1), date(2100, 1, 1)), st.integers(0, 5000))
def test_days_are_added_to_a_date(day: date, days: int) -> None:
    values = {"Due": day.isoformat(), "Days": days}
    assert evaluate("Due + Days", values) == (day + timedelta(days=days)).isoformat()
    assert evaluate(f"Due - {days}", values) == (day - timedelta(days=days)).isoformat()


@given(st.text())
def test_any_text_has_a_value_or_none_for_a_reason(text: str) -> None:
    try:
        value = evaluate(text, {})
    except ExpressionError:
        assert is_arithmetic(text)
    else:
        assert isinstance(value, str if not is_arithmetic(text) else int | float | str)


@pytest.mark.parametrize(
    ("told", "value"),
    [
        (3, 3),
        (True, True),
        (None, None),
        ("cancelled", "cancelled"),
        ("Status", "open"),
        ('"Status"', "Status"),
        ("not a - sum", "not a - sum"),
        ("2 * 3 - 1", 5),
        ("0.1 + 0.2", 0.3),
        ("Fee - 2.5", 0),
    ],
)
def test_values_names_and_numbers(told: Any, value: Any) -> None:
    assert evaluate(told, {"Status": "open", "Fee": 2.5}) == value


@pytest.mark.parametrize("told", ["Fee + 1", "Text + 1", "Text * Text", "1 + Text", "Big * Big"])
def test_what_cannot_be_computed_is_an_error(told: str) -> None:
    with pytest.raises(ExpressionError):
        evaluate(told, {"Text": "open", "Fee": None, "Big": 10.0**12})
