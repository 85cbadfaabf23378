"""Metrics of plain lists."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu

import dialoom
from dialoom.dialogue import State
from dialoom.errors import DialoomError, FormatError, UsageError
from dialoom.metrics import METRICS, joint_goal_accuracy
from dialoom.schema.service import Service, ServiceSlot
from dialoom.schema.task import TaskSchema

TEXTS = ["for when is it ok then", "a table for two people"]
RIGHT = ["for which day is it ok then", "a table for two guests"]


def test_bleu_is_that_of_sacrebleu() -> None:
    bleu = dialoom.score("text-bleu", TEXTS, RIGHT)["bleu"]
    assert bleu.value == pytest.approx(sacrebleu.corpus_bleu(TEXTS, [RIGHT]).score, abs=1e-4)
    assert bleu.interval is not None
    assert bleu.interval[0] <= bleu.value <= bleu.interval[1]
    assert "n:2|" in bleu.signature


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
    scores = dialoom.score(metric, predictions, references)
    assert scores[name or "joint_goal_accuracy"].value == value


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
        ("state", [{"H": {"area": None}}], [{"H": {}}], UsageError),
        ("state", [{"H": {"area": {"north", "south"}}}], [{"H": {}}], UsageError),
        ("intents", [{"H": {}}], [{"H": {}}], UsageError),
    ],
)
def test_wrong_lists(
    metric: str, predictions: list[Any], references: list[Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        dialoom.score(metric, predictions, references)


def test_categorical_slots_need_schemas() -> None:
    gold, guess = [{"H": {"pool": "True"}}], [{"H": {"pool": "False"}}]
    slots = (ServiceSlot(name="pool", categorical=True),)
    schemas = {"H": TaskSchema(id="H", source=Service(slots=slots))}
    fuzzy = joint_goal_accuracy(gold, guess)
    assert fuzzy.value > 0
    assert "|categorical:unknown|" in fuzzy.signature
    equal = joint_goal_accuracy(gold, guess, schemas=schemas)
    assert equal.value == 0
    assert "categorical" not in equal.signature
    assert joint_goal_accuracy(gold, guess, exact=True).value == 0
    with pytest.raises(UsageError):
        dialoom.score("bleu", ["a"], ["a"], exact=True)


def test_only_the_parts_that_states_have_are_scored() -> None:
    goals = dialoom.score("state", [{"H": {"day": "1"}}], [{"H": {"day": "1"}}])
    assert list(goals) == ["joint_goal_accuracy", "average_goal_accuracy"]
    intents = dialoom.score("state", [{"H": State(intent="Book")}], [{"H": {}}])
    assert intents["active_intent_accuracy"].value == 0
    assert "requested_slots_f1" not in intents


def test_every_metric_is_found_without_experiments() -> None:
    assert METRICS.module("token-similarity") == "dialoom.metrics.token_similarity"
