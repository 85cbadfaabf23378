"""The metrics of frame tracking."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from dialoom.dialogue import Act, Argument, Dialogue, FrameOf, Prediction, Question
from dialoom.dialogue.references import ActFrames
from dialoom.errors import UsageError
from dialoom.metrics import METRICS
from dialoom.metrics.frames import FrameTracking
from tests.make import refuses

ACTS = (Act("inform", (Argument("city", ("Tarn",)), Argument("id", (1,)))), Act("affirm"))
QUESTION = Question(Dialogue(id="f", events=()), 0, FrameOf(ACTS))
GOLD = (ActFrames(({2: 1.0}, {1: 1.0}), {}), ActFrames((), {1: 1.0}))


def scores(*answers: Prediction[tuple[ActFrames, ...]] | None) -> dict[str, float]:
    metric = FrameTracking()
    counts = Counter[tuple[object, ...]]()
    for answer in answers:
        counts.update(metric.statistics(QUESTION, GOLD, answer))
    return {name: score.value for name, score in metric.scores(counts).items()}


def test_an_argument_is_right_where_its_likeliest_frame_is_and_ids_are_not_scored() -> None:
    right = ActFrames(({1: 0.2, 2: 0.5, 0: 0.3}, {2: 1.0}), {1: 0.4, 2: 0.5, 0: 0.1})
    affirmed = ActFrames((), {1: 0.9, 2: 0.1, 0: 0.1})
    measures = scores(Prediction((right, affirmed)))
    assert measures["slot_accuracy"] == measures["act_accuracy"] == 100
    assert measures["slot_log_likelihood"] == pytest.approx(math.log(0.5), abs=0.01)
    coins = [math.log(0.6), math.log(0.5), math.log(0.9)]
    expected = (sum(coins) / 3 + math.log(0.9)) / 2
    assert measures["act_log_likelihood"] == pytest.approx(expected, abs=0.01)


def test_an_act_is_right_where_exactly_its_frames_are_likelier_than_not() -> None:
    wrong = ActFrames(({1: 1.0, 2: 0.0}, {1: 1.0}), {1: 0.9})
    both = ActFrames((), {1: 0.9, 2: 0.6})
    measures = scores(Prediction((wrong, both)))
    assert measures["slot_accuracy"] == measures["act_accuracy"] == 0
    assert measures["slot_log_likelihood"] == pytest.approx(math.log(1e-6), abs=0.01)


def test_a_turn_that_was_not_answered_is_wrong() -> None:
    measures = scores(None)
    assert measures["slot_accuracy"] == 0
    assert measures["act_accuracy"] == 50, "of an act that refers to nothing, nothing was said"
    assert scores() == dict.fromkeys(measures, 0.0)


def test_another_number_of_acts_or_arguments_is_an_error() -> None:
    with refuses(UsageError, "mismatch", "1", "2"):
        scores(Prediction(GOLD[:1]))
    with refuses(UsageError, "mismatch", "1", "2"):
        scores(Prediction((ActFrames(({1: 1.0},), {}), GOLD[1])))


def test_it_is_registered() -> None:
    assert METRICS.get("frames") is FrameTracking
