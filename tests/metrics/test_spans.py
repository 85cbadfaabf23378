"""Labelled spans: by text, by place, and whatever came of the value."""

from __future__ import annotations

from dialoom.dialogue import Dialogue, Prediction, Question, Span, Spans, Utterance
from dialoom.metrics.overlap import SpanMatch

TEXT = "At 7 pm or at  7 pm."
QUESTION = Question(Dialogue(id="d", events=(Utterance(agent="user", text=TEXT),)), 1, Spans(()))


def scores(metric: SpanMatch, gold: tuple[Span, ...], told: tuple[Span, ...]) -> dict[str, float]:
    counts = metric.statistics(QUESTION, gold, Prediction(told))
    return {name: round(score.value, 2) for name, score in metric.scores(counts).items()}


def test_a_value_said_twice_is_one_value_and_two_places() -> None:
    gold = (Span(3, 7, ("time",)), Span(15, 19, ("time",)))
    assert scores(SpanMatch(), gold, gold[:1]) == {
        "value_f1": 100.0,
        "span_f1": 66.67,
        "label_f1": 100.0,
    }


def test_each_label_of_a_span_counts_and_once_only() -> None:
    both = (Span(3, 7, ("time", "time")), Span(3, 7, ("time.reject",)))
    measures = scores(SpanMatch((".reject",)), both, (Span(3, 7, ("time",)),))
    assert (measures["value_f1"], measures["bare_value_f1"]) == (66.67, 100.0)


def test_the_files_own_copy_of_a_text_is_what_counts() -> None:
    copied = (Span(3, 6, ("time",), text="7 pm"),)
    assert scores(SpanMatch(), copied, (Span(3, 7, ("time",)),))["value_f1"] == 100.0


def test_what_was_not_answered_is_missing() -> None:
    metric = SpanMatch()
    counts = metric.statistics(QUESTION, (Span(3, 7, ("time",)),), None)
    assert metric.scores(counts)["value_f1"].value == 0.0
    assert metric.scores(type(counts)())["value_f1"].value == 0.0


def test_the_main_unit_comes_first() -> None:
    measures = scores(SpanMatch(first="span"), (Span(3, 7, ("time",)),), (Span(3, 7, ("time",)),))
    assert next(iter(measures)) == "span_f1"
