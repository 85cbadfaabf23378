"""Weighted F1 and accuracy, against scikit-learn and by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, NextAction, Prediction, Question
from dialoom.metrics import Counts
from dialoom.metrics.classification import Classification

labels = st.sampled_from(["ask", "query", "custom", "bye", "hello"])
answered = st.lists(st.tuples(labels, labels), min_size=1, max_size=60)
METRIC = Classification()
QUESTION = Question(Dialogue(id="1", events=()), 0, NextAction("weather"))


def counted(pairs: list[tuple[str, str]]) -> Counts:
    counts: Counts = Counter()
    for gold, predicted in pairs:
        counts.update(METRIC.statistics(QUESTION, gold, Prediction(predicted)))
    return counts


@given(answered)
def test_f1_and_accuracy_are_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    from sklearn.metrics import accuracy_score, f1_score

    gold, predicted = [p[0] for p in pairs], [p[1] for p in pairs]
    scores = METRIC.scores(counted(pairs))
    reference = f1_score(gold, predicted, average="weighted", zero_division=0)
    assert scores["f1"].value == pytest.approx(100 * reference)
    assert scores["accuracy"].value == pytest.approx(100 * accuracy_score(gold, predicted))


def test_a_label_only_predicted_has_no_weight_of_its_own() -> None:
    # ask: P 1/1, R 1/2, F 2/3, weight 2; query: P 1/1, R 1/1, weight 1; bye is only predicted.
    counts = counted([("ask", "ask"), ("ask", "bye"), ("query", "query")])
    assert METRIC.scores(counts)["f1"].value == pytest.approx(100 * (2 * 2 / 3 + 1) / 3)


@given(answered, answered)
def test_counts_add_up(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    assert counted(first) + counted(second) == counted(first + second)


def test_nothing_to_score_is_nought() -> None:
    assert [score.value for score in METRIC.scores(Counter()).values()] == [0.0, 0.0]


def test_no_answer_is_wrong() -> None:
    assert METRIC.scores(METRIC.statistics(QUESTION, "ask", None))["f1"].value == 0.0
