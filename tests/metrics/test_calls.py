"""Calls: what counts as the same call, and the F1 of constraints by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from dialoom.dialogue import Constraint, Dialogue, NextCall, Prediction, Query, Question
from dialoom.dialogue.constraint import parse
from dialoom.metrics.calls import MATCHES, OVERLAPS, CallMatch
from dialoom.schema.call import Call, Column
from dialoom.schema.task import TaskSchema

TABLE = Call(name="table", inputs=(Column(name="Kind", type="request"), Column(name="Size")))
METRIC = CallMatch({"table_book": TaskSchema(id="table_book", calls={"table": TABLE})})
QUESTION = Question(Dialogue(id="1", events=()), 0, NextCall("table_book"))


def call(api: str = "table", **texts: str) -> Query:
    return Query(id="", api=api, constraints=tuple(parse(*pair) for pair in texts.items()))


def scores(gold: Query, guess: Query | None) -> dict[str, float]:
    counts = METRIC.statistics(QUESTION, gold, Prediction(guess) if guess else None)
    return {name: score.value for name, score in METRIC.scores(counts).items()}


def test_the_same_call_scores_a_hundred_in_any_order() -> None:
    gold = call(Kind='"Book"', Name='"Ilse"', Size="4")
    guess = call(Size="4", Name='"Ilse"', Kind='"Book"')
    assert scores(gold, guess) == dict.fromkeys([*MATCHES, *OVERLAPS], 100.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"Ilse "', '"ilse"'),
        ('"4"', "4"),
        ("4", "4.0"),
        ('api.is_one_of(["a"])', '"a"'),
        ('api.is_one_of(["a","b"])', '["b","a"]'),
        ("0314", "0314"),
    ],
)
def test_values_are_compared_as_they_mean(one: str, other: str) -> None:
    assert scores(call(Name=one), call(Name=other))["exact_match"] == 100.0


@pytest.mark.parametrize(
    ("one", "other"),
    [("4", "5"), ("True", "1"), ("api.is_at_least(4)", "4"), ("null", '"null"'), ("0314", "314")],
)
def test_other_values_are_wrong(one: str, other: str) -> None:
    assert scores(call(Size=one), call(Size=other))["exact_match"] == 0.0


def test_a_wrong_request_spoils_the_exact_match_alone() -> None:
    rates = scores(call(Kind='"Book"', Size="4"), call(Kind='"Check"', Size="4"))
    assert rates.pop("exact_match") == 0.0
    assert set(rates.values()) == {100.0}


def test_another_call_matches_nowhere() -> None:
    rates = scores(call(Size="4"), call("chair", Size="4"))
    assert (rates["exact_match"], rates["parameter_match"], rates["key_f1"]) == (0.0, 0.0, 100.0)


def test_constraints_count_by_key_value_and_operator() -> None:
    gold = call(Name='"Ilse"', Size="4", Day='"Monday"')
    guess = call(Name='"Ilse"', Size="api.is_at_least(4)", Hour='"2 pm"', Day='"Friday"')
    rates = scores(gold, guess)
    assert rates["key_f1"] == pytest.approx(100 * 2 * 3 / 7)
    assert rates["value_f1"] == pytest.approx(100 * 2 * 2 / 7)
    assert rates["constraint_f1"] == pytest.approx(100 * 2 * 1 / 7)


def test_counts_add_up_to_micro_averages() -> None:
    pairs: list[tuple[Query, Any]] = [
        (call(Size="4"), Prediction(call(Size="4"))),
        (call(Size="4", Name='"Ilse"'), None),
    ]
    counts = sum((METRIC.statistics(QUESTION, *pair) for pair in pairs), Counter())
    rates = {name: score.value for name, score in METRIC.scores(counts).items()}
    assert rates["exact_match"] == 50.0
    assert rates["constraint_f1"] == pytest.approx(100 * 2 * 1 / 4)


def test_a_conjunction_on_one_parameter_is_two_constraints() -> None:
    both = (Constraint("Size", "at_least", (2,)), Constraint("Size", "at_most", (4,)))
    rates = scores(Query(id="", api="table", constraints=both), call(Size="api.is_at_least(2)"))
    assert rates["key_f1"] == 100.0
    assert rates["constraint_f1"] == pytest.approx(100 * 2 * 1 / 3)
