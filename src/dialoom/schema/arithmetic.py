"""Expressions of a task file: the new value of a column, with sums and products.

    evaluate("Balance - Total * 2", {"Balance": 90.5, "Total": 20})     # 50.5
    evaluate("Due + 14", {"Due": "2026-11-27"})                          # "2026-12-11"
    evaluate("cancelled", {})                                            # "cancelled"

A text with `+`, `-` or `*`, with a space on both sides, is arithmetic: numbers, names of columns
and inputs, products before sums; to a date a number of days may be added. Any other text is a name
where the task has it and a value otherwise; a text in double quotes is always a value. Results are
rounded to hundredths, as money is. Nothing else is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from operator import add, mul, sub
from typing import Any

_TERM = r"(?:[A-Za-z]\w*|\d+(?:\.\d+)?)"
_SUM = re.compile(rf"{_TERM}(?: [-+*] {_TERM})+")
_MOST = 1e15
"""Numbers beyond this are no value: a float is too coarse for hundredths."""

_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {"+": add, "-": sub, "*": mul}


class ExpressionError(ValueError):
    """An expression without a value: a name is unknown, or what it combines is no number."""


def names(text: Any) -> tuple[str, ...]:
    """Return the names in an arithmetic expression; of any other text itself, where it is one."""
    if not isinstance(text, str):
        return ()
    terms = text.split(" ")[::2] if _SUM.fullmatch(text) else [text]
    return tuple(term for term in terms if re.fullmatch(r"[A-Za-z]\w*", term))


def is_arithmetic(text: Any) -> bool:
    """Return True if a text combines values."""
    return isinstance(text, str) and _SUM.fullmatch(text) is not None


def evaluate(text: Any, scope: Mapping[str, Any]) -> Any:
    """Return the value of an expression over canonical values; `ExpressionError` without any."""
    if not isinstance(text, str):
        return text
    if not is_arithmetic(text):
        return scope.get(text, text) if not text.startswith('"') else text.strip('"')
    values = (_value(term, scope) for term in text.split(" ")[::2])
    total = _total(next(values), zip(text.split(" ")[1::2], values, strict=True))
    if isinstance(total, str):
        return total
    if abs(total) > _MOST:
        raise ExpressionError(f"{text}: {total} is too large")
    total = round(total, 2)
    return int(total) if total == int(total) else total


def _value(term: str, values: Mapping[str, Any]) -> Any:
    if term[0].isdigit():
        return float(term) if "." in term else int(term)
    if values.get(term) is None:
        raise ExpressionError(f"{term} has no value")
    return values[term]


def _total(first: Any, rest: Iterator[tuple[str, Any]]) -> Any:
    total, operator, product = 0, "+", first
    has_total = False
    for sign, value in rest:
        if sign == "*":
            product = _combined("*", product, value)
            continue
        total, has_total = (_combined(operator, total, product) if has_total else product), True
        operator, product = sign, value
    return _combined(operator, total, product) if has_total else product


def _combined(operator: str, left: Any, right: Any) -> Any:
    if is_number(left) and is_number(right):
        return _OPERATORS[operator](left, right)
    if isinstance(left, str) and isinstance(right, int) and operator in "+-":
        try:
            days = timedelta(days=_OPERATORS[operator](0, right))
            return (date.fromisoformat(left) + days).isoformat()
        except (ValueError, OverflowError) as error:
            raise ExpressionError(str(error)) from None
    raise ExpressionError(f"{left!r} {operator} {right!r} is no sum")


def is_number(value: Any) -> bool:
    """Return whether a value is an int or a float, which True and False are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)
