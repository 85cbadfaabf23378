"""Metrics of plain lists."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu

import dialoom
from dialoom.errors import DialoomError, FormatError, UsageError

TEXTS = ["for when is it ok then", "a table for two people"]
RIGHT = ["for which day is it ok then", "a table for two guests"]


def test_bleu_is_that_of_sacrebleu() -> None:
    found = dialoom.score("text-bleu", TEXTS, RIGHT)["bleu"]
    assert found.value == pytest.approx(sacrebleu.corpus_bleu(TEXTS, [RIGHT]).score, abs=1e-4)
    assert found.interval is not None
    assert found.interval[0] <= found.value <= found.interval[1]
    assert "n:2|" in found.signature


@pytest.mark.parametrize(
    ("metric", "predictions", "references", "name", "value"),
    [
        ("classification", ["a", "b"], ["a", "a"], "accuracy", 50),
        ("ranking", [["b", "a"], ["c"]], ["a", "c"], "p@1", 50),
        ("ranking", [["b", "a"], []], ["a", "c"], "p@2", 50),
        ("calls", ["f(a=1)", '{"name": "g"}'], [{"f": {"a": 1}}, "g()"], "exact_match", 100),
        ("calls", ["f(a=1)", None], ["f(a=2)", "g()"], "key_f1", 100),
        ("state", [{"H": {"area": "north"}}], [{"H": {"area": ["north", "the north"]}}], "", 100),
        ("state", [None], [{"H": {"area": "north"}}], "", 0),
        ("recall", [["b", "a"], ["a"]], ["a", "b"], "r@3", 50),
    ],
)
def test_scores(
    metric: str, predictions: list[Any], references: list[Any], name: str, value: float
) -> None:
    found = dialoom.score(metric, predictions, references)
    assert found[name or "joint_goal_accuracy"].value == value


def test_a_dialogue_is_right_with_all_its_responses() -> None:
    answers, right = ["a", "b", "c", "x"], ["a", "b", "c", "d"]
    one = dialoom.score("responses", answers, right, dialogues=["1"] * 4)
    assert (one["per-response"].value, one["per-dialogue"].value) == (75, 0)
    two = dialoom.score("responses", answers, right, dialogues=["1", "1", "2", "2"])
    assert two["per-dialogue"].value == 50


def test_intervals_are_over_dialogues() -> None:
    one = dialoom.score("classification", ["a", "b"], ["a", "a"], dialogues=["d", "d"])
    assert one["f1"].interval is None
    none = dialoom.score("classification", ["a", "b"], ["a", "a"], samples=0)
    assert none["f1"].interval is None
    assert "interval" not in none["f1"].signature


@pytest.mark.parametrize(
    ("metric", "predictions", "references", "error"),
    [
        ("nosuch", ["a"], ["a"], DialoomError),
        ("spans", [()], [()], UsageError),
        ("slot-errors", ["a"], ["a"], UsageError),
        ("perplexity", ["a"], ["a"], UsageError),
        ("ranking", ["a"], ["a"], UsageError),
        ("recall", ["a"], ["a"], UsageError),
        ("bleu", ["a"], ["a", "b"], UsageError),
        ("bleu", [], [], UsageError),
        ("bleu", [5], ["a"], UsageError),
        ("calls", ["no call"], ["f()"], FormatError),
        ("calls", ["f"], ["f()"], FormatError),
        ("calls", ['{"name": "f", "arguments": "{"}'], ["f()"], FormatError),
        ("calls", [7], ["f()"], FormatError),
        ("state", ["north"], [{"H": {}}], UsageError),
        ("state", [{"H": 5}], [{"H": {}}], UsageError),
    ],
)
def test_wrong_lists(
    metric: str, predictions: list[Any], references: list[Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        dialoom.score(metric, predictions, references)
