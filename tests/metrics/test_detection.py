"""Area under the ROC curve, false positive rate and macro F1, from counts of probabilities."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, InScope, Prediction, Question
from dialoom.metrics import Counts
from dialoom.metrics.classification import IN, OUT, Detection

METRIC = Detection()
QUESTION = Question(Dialogue(id="1", events=()), 0, InScope("weather"))

Answer = tuple[bool, float]
"""Whether a turn is out of scope, and the probability of that."""


def counted(answers: list[Answer]) -> Counts:
    counts: Counts = Counter()
    for out, probability in answers:
        gold = 0.0 if out else 1.0
        counts.update(METRIC.statistics(QUESTION, gold, Prediction(1 - probability)))
    return counts


def values(counts: Counts) -> dict[str, float]:
    return {name: score.value for name, score in METRIC.scores(counts).items()}


def test_what_is_out_of_scope_should_come_first() -> None:
    assert values(counted([(True, 0.9), (True, 0.8), (False, 0.2)])) == {
        "auroc": 100.0,
        "fpr@95": 0.0,
        "macro_f1": 100.0,
    }
    assert values(counted([(False, 0.9), (True, 0.2)])) == {
        "auroc": 0.0,
        "fpr@95": 100.0,
        "macro_f1": 0.0,
    }


def test_equal_probabilities_are_half_right() -> None:
    assert values(counted([(True, 0.5), (False, 0.5)]))["auroc"] == 50.0


def test_a_decision_is_the_first_of_the_ranking() -> None:
    sure = Prediction(0.9, ((OUT, 0.1), (IN, 0.9)))
    assert METRIC.statistics(QUESTION, 0.0, sure) == Counter({(True, 1000, True): 1})


def test_no_answer_is_a_sure_in() -> None:
    assert METRIC.statistics(QUESTION, 0.0, None) == Counter({(True, 0, False): 1})


def test_nothing_to_score_is_worth_nothing() -> None:
    assert set(values(Counter()).values()) == {0.0}


answers = st.lists(st.sampled_from([(out, n / 8) for out in (True, False) for n in range(9)]))


@given(answers, answers)
def test_counts_add_up_and_the_area_is_that_of_all_pairs(
    one: list[Answer], two: list[Answer]
) -> None:
    both = [*one, *two]
    assert counted(one) + counted(two) == counted(both)
    positive = [p for out, p in both if out]
    negative = [p for out, p in both if not out]
    pairs = [(p > n) + (p == n) / 2 for p in positive for n in negative]
    area = 100 * sum(pairs) / len(pairs) if pairs else 0.0
    assert values(counted(both))["auroc"] == pytest.approx(area)
