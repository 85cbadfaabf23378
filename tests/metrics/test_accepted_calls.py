"""Calls are compared with the values that their arguments may have, as BFCL compares them."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom import score
from dialoom.dialogue import AnswerRecord, Dialogue, NextCalls, Prediction, Question
from dialoom.errors import UsageError
from dialoom.metrics.calls import SCORES, AcceptedCalls

WEATHER = {"weather.get": {"city": ["New York", "NYC"], "days": [3], "unit": ["", "C"]}}
TRIP = {"trip": {"stops": [["York", "Bath"]], "who": [{"name": ["Ada"], "age": [5, ""]}]}}
ARGUMENTS = {"city": "NYC", "days": 3}
TEXT = '{"city": "NYC", "days": 3}'
FREE = {"f": {"a": [True, ""]}}


def accuracy(prediction: Any, *reference: dict[str, Any]) -> float:
    """Return the accuracy of one answer."""
    return score("calls", [prediction], [list(reference)])["accuracy"].value


@pytest.mark.parametrize(
    "given",
    [
        "[weather.get(city='new york', days=3)]",
        "weather.get(city='N.Y.C', days=3, unit='c')",
        "```python\n[weather_get(days=3, city='NYC')]\n```",
        [{"weather.get": {"city": "NYC", "days": 3}}],
        [{"weather_get": '{"city": "NYC", "days": 3}'}],
        [{"type": "function", "function": {"name": "weather_get", "arguments": TEXT}}],
        {"tool_calls": [{"function": {"name": "weather_get", "arguments": ARGUMENTS}}]},
        {"message": {"tool_calls": [{"name": "weather.get", "parameters": ARGUMENTS}]}},
        '[{"name": "weather.get", "arguments": {"city": "NYC", "days": 3}}]',
    ],
)
def test_every_spelling_of_a_right_call_is_right(given: Any) -> None:
    assert accuracy(given, WEATHER) == 100.0


@pytest.mark.parametrize(
    "given",
    [
        "[weather.get(city='York', days=3)]",
        "[weather.get(city='NYC', days=3.0)]",
        "[weather.get(city='NYC', days='3')]",
        "[weather.get(city='NYC')]",
        "[weather.get(city='NYC', days=3, hour=1)]",
        "[weather.get(city='NYC', days=3), weather.get(city='NYC', days=3)]",
        "[forecast.get(city='NYC', days=3)]",
        "[]",
    ],
)
def test_wrong_values_arguments_names_and_numbers_are_wrong(given: str) -> None:
    figures = score("calls", [given], [[WEATHER]])
    assert figures["accuracy"].value == figures["unreadable"].value == 0.0


def test_parallel_calls_may_come_in_any_order() -> None:
    both = "f(a=True), weather.get(city='NYC', days=3)"
    assert accuracy(both, WEATHER, FREE) == 100.0
    assert accuracy("[f(), f()]", FREE, FREE) == 100.0
    assert accuracy("[f(), f()]", WEATHER, FREE) == 0.0


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"trip": {"stops": ["york", "Bath"], "who": {"name": "ada"}}}, True),
        ({"trip": {"stops": ["York", "Bath"], "who": {"name": "Ada", "age": 5}}}, True),
        ({"trip": {"stops": ["Bath", "York"], "who": {"name": "Ada"}}}, False),
        ({"trip": {"stops": ["York", "Bath"], "who": {"age": 5}}}, False),
        ({"trip": {"stops": ["York", "Bath"], "who": {"name": "Ada", "sex": "f"}}}, False),
    ],
)
def test_lists_are_in_order_and_each_key_of_an_object_has_its_values(
    given: Any, right: bool
) -> None:
    assert accuracy([given], TRIP) == (100.0 if right else 0.0)


def test_objects_in_lists_are_compared_one_by_one() -> None:
    gold = {"book": {"who": [[{"name": ["Ada"]}, {"name": ["Bo", "B"]}]]}}
    assert accuracy([{"book": {"who": [{"name": "ada"}, {"name": "B"}]}}], gold) == 100.0
    assert accuracy([{"book": {"who": [{"name": "Ada"}]}}], gold) == 0.0


def test_truth_values_are_no_numbers() -> None:
    assert accuracy("f(a=1)", FREE) == 0.0


def test_unreadable_answers_are_counted_and_wrong_unless_no_call_is_needed() -> None:
    words = "I cannot do that."
    figures = score("calls", [words, "f()", words, None], [[WEATHER], [FREE], [], [FREE]])
    assert figures["unreadable"].value == 50.0
    assert figures["accuracy"].value == 50.0
    assert score("calls", ["f()"], [[]])["accuracy"].value == 0.0


@pytest.mark.parametrize("reference", ["f()", [["f()"]]])
def test_references_of_another_shape_are_refused(reference: Any) -> None:
    with pytest.raises(UsageError):
        score("accepted-calls", ["f()"], [reference])


def test_an_unreadable_answer_of_a_model_is_wrong_where_no_call_is_needed() -> None:
    question = Question(Dialogue(id="d", events=()), 0, NextCalls())
    for record, right in ((AnswerRecord(2, 9, 9, "no JSON"), False), (AnswerRecord(1, 9, 9), True)):
        counts = AcceptedCalls().statistics(question, (), Prediction(None, record=record))
        assert [counts[name, True] for name in SCORES] == [right, right, not right]
