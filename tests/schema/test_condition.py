from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.schema.condition import OPERATORS, Condition, all_hold, read


@pytest.mark.parametrize(
    ("text", "known", "held"),
    [
        ("fine is 0", {"fine": "0"}, True),
        ("to is not start", {"to": "Dorn", "start": "Dorn"}, False),
        ("to is not start", {"to": "Dorn"}, None),
        ('to is "start"', {"to": "start", "start": "Dorn"}, True),
        ("back is greater than day", {"back": "2021-05-04", "day": "2021-05-03"}, True),
        ("back is at least day", {"back": "2021-05-02", "day": "2021-05-03"}, False),
        ("mode is one of bus, train", {"mode": "train"}, True),
        ("extras contains oars", {"extras": ["vest", "oars"]}, True),
        ("day is less than back", {"day": 3, "back": "4"}, False),
    ],
)
def test_sentences(text: str, known: dict[str, Any], held: bool | None) -> None:
    condition = read(text, {"start", "day", "back"})
    assert condition is not None and condition.holds(known) is held


@pytest.mark.parametrize("text", ["", "fine", "fine = 0", "is 3", "a equals b", "__import__('os')"])
def test_what_is_no_sentence(text: str) -> None:
    assert read(text) is None


operands = st.from_regex(r"[a-z]{3,8}", fullmatch=True).filter(lambda text: text not in OPERATORS)


@given(operands, st.sampled_from(list(OPERATORS.values())), operands)
def test_a_condition_reads_as_it_is_written(name: str, operator: Any, value: str) -> None:
    condition = Condition(name, operator, (value,))
    assert read(str(condition)) == condition
    to_other = Condition(name, operator, (), value)
    assert operator == "one_of" or read(str(to_other), {value}) == to_other


def test_nothing_holds_of_what_is_declined() -> None:
    condition = Condition("back", "greater", ("2021-05-03",))
    assert condition.holds({}, {"back"}) is False
    assert all_hold((condition,), {}) is None
