"""Weighted F1 and accuracy, against scikit-learn and by hand."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score

from dialoom.errors import UsageError
from dialoom.metrics import Accuracy, Metric, WeightedF1
from tests.strategies import unhurried

labels = st.sampled_from(["ask", "query", "custom", "bye", "hello"])
answered = st.lists(st.tuples(labels, labels), min_size=1, max_size=60)


@unhurried
@given(answered)
def test_f1_and_accuracy_are_scikit_learns(pairs: list[tuple[str, str]]) -> None:
    gold, predicted = [p[0] for p in pairs], [p[1] for p in pairs]
    f1, accuracy = WeightedF1(), Accuracy()
    reference = f1_score(gold, predicted, average="weighted", zero_division=0)
    assert f1.value(f1.statistics(gold, predicted)) == pytest.approx(100 * reference)
    reference = accuracy_score(gold, predicted)
    assert accuracy.value(accuracy.statistics(gold, predicted)) == pytest.approx(100 * reference)


def test_a_label_only_predicted_has_no_weight_of_its_own() -> None:
    f1 = WeightedF1()
    # ask: P 1/1, R 1/2, F 2/3, weight 2; query: P 1/1, R 1/1, weight 1; bye is only predicted.
    counts = f1.statistics(["ask", "ask", "query"], ["ask", "bye", "query"])
    assert f1.value(counts) == pytest.approx(100 * (2 * 2 / 3 + 1) / 3)


@unhurried
@given(answered, answered)
def test_counts_add_up(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> None:
    metric = WeightedF1()
    joined = metric.statistics(*zip(*(first + second), strict=True))
    parts = [metric.statistics(*zip(*part, strict=True)) for part in (first, second)]
    assert sum(parts, Counter()) == joined


@pytest.mark.parametrize("metric", [WeightedF1(), Accuracy()])
def test_nothing_to_score_is_nought(metric: Metric) -> None:
    assert metric.value(Counter()) == 0.0


def test_as_many_predictions_as_gold_labels() -> None:
    with pytest.raises(UsageError, match="1 predictions for 2 gold labels"):
        WeightedF1().statistics(["a", "b"], ["a"])
