"""Exact match, BLEU and entity F1 of replies."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU

from dialoom.dialogue import Dialogue, NextReply, Prediction, Question
from dialoom.metrics import Counts, Metric
from dialoom.metrics.generation import Bleu, EntityF1, ExactMatch

QUESTION = Question(Dialogue(id="1", events=()), 0, NextReply("table_book"))
ENTITIES = EntityF1(["Blue Door", "7 pm", "Juniper"], "listed-values")
Pair = tuple[str, str]


def counted(metric: Metric, pairs: list[Pair]) -> Counts:
    """Return the counts of replies, each after its reference."""
    counts: Counts = Counter()
    for gold, reply in pairs:
        counts.update(metric.statistics(QUESTION, gold, Prediction(reply)))
    return counts


def scored(metric: Metric, pairs: list[Pair]) -> dict[str, float]:
    scores = metric.scores(counted(metric, pairs))
    return {name: score.value for name, score in scores.items()}


def test_generic_references_count_only_where_all_do() -> None:
    pairs = [
        ("Hello, how can I help?", "Hello, how can I help?"),
        ("Thank you and goodbye.", "Goodbye"),
        ("Thank you and goodbye!", "Thank you and goodbye!"),
        ("For what time?", "At what time?"),
    ]
    assert scored(ExactMatch(), pairs) == {"iem": 50.0, "iem_all": 50.0}
    assert scored(ExactMatch(), pairs[:2]) == {"iem": 0.0, "iem_all": 50.0}


def test_only_white_space_is_forgiven() -> None:
    pairs = [("A table\n for two.", "A table for two."), ("A table.", "a table.")]
    assert scored(ExactMatch(), pairs) == {"iem": 50.0, "iem_all": 50.0}


def test_four_grams_alone_with_brevity() -> None:
    same = ("a b c d e", "a b c d e")
    assert scored(Bleu(), [same])["bleu_as_coded"] == 100.0
    # one of two 4-grams is found
    assert scored(Bleu(), [("a b c d e", "a b c d x")])["bleu_as_coded"] == pytest.approx(50.0)
    # four of eight tokens: exp(1 - 8 / 4)
    short = [("a b c d e f g h", "a b c d")]
    assert scored(Bleu(), short)["bleu_as_coded"] == pytest.approx(36.788, abs=0.001)
    # too short for a 4-gram counts as one that is missed
    assert scored(Bleu(), [same, ("a b", "a b")])["bleu_as_coded"] == pytest.approx(200 / 3)


def test_the_signature_is_sacrebleus() -> None:
    scores = Bleu().scores(counted(Bleu(), [("a b c d", "a b c d")]))
    assert "sacrebleu:nrefs-1/case-mixed/eff-no/tok-13a/smooth-exp" in str(scores["bleu"])
    assert "ngrams:4|tokens:white-space|smooth:none" in str(scores["bleu_as_coded"])


WORDS = st.lists(st.sampled_from(["a", "table", "for", "two,", "at", "7", "pm."]), max_size=9)
PAIRS = st.lists(st.tuples(WORDS.map(" ".join), WORDS.map(" ".join)), min_size=1, max_size=6)


@given(PAIRS, PAIRS)
def test_bleu_is_sacrebleus_and_adds_up(one: list[Pair], other: list[Pair]) -> None:
    pairs = one + other
    both = counted(Bleu(), one) + counted(Bleu(), other)
    assert both == counted(Bleu(), pairs)
    theirs = BLEU().corpus_score([reply for _, reply in pairs], [[gold for gold, _ in pairs]])
    assert Bleu().scores(both)["bleu"].value == pytest.approx(theirs.score)


def test_entities_are_substrings_weighted_by_references_or_replies() -> None:
    pairs = [
        ("The Blue Door at 7 pm", "The Blue Door"),
        ("The Blue Door", "The Blue Door at 7 pm"),
        ("Juniper", "Blue Door"),
        ("No entity", "no juniper"),
    ]
    # Blue Door: S 2, P 3, TP 2; 7 pm: S 1, P 1, TP 0; Juniper: S 1, P 0, TP 0
    scores = scored(ENTITIES, pairs)
    assert scores["entity_f1"] == pytest.approx(100 * (2 * 0.8) / 4)
    assert scores["entity_f1_as_coded"] == pytest.approx(100 * (3 * 0.8) / 4)


def test_the_list_of_entities_is_in_the_signature() -> None:
    score = ENTITIES.scores(Counter())["entity_f1_as_coded"]
    assert "avg:weighted-by-replies|entities:listed-values/3" in str(score)


@pytest.mark.parametrize("metric", [ExactMatch(), Bleu(), ENTITIES])
def test_no_answer_is_wrong_and_nothing_is_worth_nothing(metric: Metric) -> None:
    assert set(scored(metric, []).values()) == {0.0}
    counts = metric.statistics(QUESTION, "The Blue Door is open now", None)
    assert {score.value for score in metric.scores(counts).values()} == {0.0}
