from __future__ import annotations

from dialoom.bench.core.predictions import PredictionLine
from dialoom.bench.report.figures import Confusion, errors_by_holdout, label_scores, samples


def line(
    gold: str, predicted: str, *, holdout: str = "a", dialogue: int = 1, event: int = 0
) -> PredictionLine:
    return PredictionLine(holdout, dialogue, event, gold, predicted, "task")


def test_confusions_are_counted_for_each_holdout_the_frequent_first() -> None:
    holdouts = errors_by_holdout(
        [
            line("x", "x"),
            line("x", "y"),
            line("x", "y"),
            line("y", "z"),
            line("x", "z", holdout="b"),
            line("x", "x", holdout="c"),
        ],
        limit=1,
    )
    assert [(one.name, one.n, one.errors) for one in holdouts] == [
        ("a", 4, 3),
        ("b", 1, 1),
        ("c", 1, 0),
    ]
    assert holdouts[0].top == (Confusion("x", "y", 2),)
    assert holdouts[2].top == ()


def test_labels_have_precision_recall_and_f1() -> None:
    first, second = label_scores([line("x", "x"), line("x", "y"), line("x", "x")])
    assert (first.label, first.gold, first.predicted, first.hits) == ("x", 3, 2, 2)
    assert first.precision == 100
    assert first.recall is not None
    assert round(first.recall, 2) == 66.67
    assert first.f1 == 80
    assert (second.precision, second.recall, second.f1) == (0, None, 0)


def test_a_label_never_predicted_has_no_precision() -> None:
    only = next(one for one in label_scores([line("x", "y")]) if one.label == "x")
    assert only.precision is None


def test_samples_take_one_error_of_each_confusion_from_fresh_dialogues() -> None:
    wrong = [
        line("x", "y", dialogue=1),
        line("x", "y", dialogue=2),
        line("x", "z", dialogue=1, event=4),
        line("x", "z", dialogue=3, event=4),
    ]
    picks = samples(wrong, limit=2)
    assert [(one.predicted, one.dialogue) for one in picks] == [("y", 1), ("z", 3)]


def test_samples_repeat_a_dialogue_where_there_is_no_other() -> None:
    picks = samples([line("x", "y"), line("x", "z", event=4)], limit=3)
    assert [one.event for one in picks] == [0, 4]


def test_nothing_wrong_means_no_samples() -> None:
    assert samples([line("x", "x")], limit=3) == []
