"""Precision at k, from the ranks of the right candidates."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Candidate, Choice, Dialogue, NextAction, Prediction, Question
from dialoom.metrics import Counts
from dialoom.metrics.ranking import CUTOFFS, PrecisionAtK, RecallAtK, ranked

METRIC = PrecisionAtK()
NAMES = "abcdef"
QUESTION = Question(
    Dialogue(id="1", events=()), 0, Choice(tuple(Candidate(name) for name in NAMES))
)


def answer(names: str) -> Prediction[str]:
    return Prediction(names[0], tuple((name, 0.0) for name in names))


def counted(rankings: list[Prediction[str] | None]) -> Counts:
    counts: Counts = Counter()
    for ranking in rankings:
        counts.update(METRIC.statistics(QUESTION, "a", ranking))
    return counts


def test_a_hit_is_a_rank_of_at_most_k() -> None:
    scores = METRIC.scores(counted([answer("ab"), answer("ba"), answer("bcdea"), None]))
    assert {name: score.value for name, score in scores.items()} == {
        "p@1": 25.0,
        "p@2": 50.0,
        "p@5": 75.0,
    }


def test_the_score_says_what_it_is() -> None:
    score = METRIC.scores(counted([answer("ab"), None]))["p@2"]
    assert str(score).startswith("p@2 50.00 (metric:precision|k:2|missing:wrong|version:")


def test_nothing_to_score_is_worth_nothing() -> None:
    assert {score.value for score in METRIC.scores(Counter()).values()} == {0.0}


ranks = st.lists(st.none() | st.integers(1, 6))


@given(ranks, ranks)
def test_counts_of_two_sets_add_up_and_precision_grows_with_k(
    one: list[int | None], two: list[int | None]
) -> None:
    parts = [sum(map(ranked, held), Counter()) for held in (one, two)]
    both = sum(map(ranked, one + two), Counter())
    assert parts[0] + parts[1] == both
    values = [METRIC.scores(both)[f"p@{k}"].value for k in CUTOFFS]
    assert values == sorted(values)
    if one + two:
        hits = sum(rank is not None and rank <= 2 for rank in one + two)
        assert values[1] == pytest.approx(100 * hits / len(one + two))


def test_recall_of_labels_and_the_mean_reciprocal_rank() -> None:
    question = Question(Dialogue(id="1", events=()), 0, NextAction("task"))
    ranking = tuple((name, 0.0) for name in "abcdefg")
    metric, counts = RecallAtK(), Counts()
    for gold in ("a", "c", "g", "x"):
        counts += metric.statistics(question, gold, Prediction("a", ranking))
    scores = {name: score.value for name, score in metric.scores(counts).items()}
    assert (scores["r@1"], scores["r@3"], scores["r@6"]) == (25.0, 50.0, 50.0)
    assert scores["mrr"] == pytest.approx(100 * (1 + 1 / 3 + 1 / 7) / 4)
