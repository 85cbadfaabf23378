"""The metrics of acts that are read from text."""

from __future__ import annotations

from typing import Any

import pytest

from dialoom.dialogue import Act, Acts, Argument, Dialogue, Prediction, Question, Reference
from dialoom.metrics import METRICS
from dialoom.metrics.overlap import ActMatch

QUESTION: Question[Any] = Question(Dialogue(id="f", events=()), 0, Acts())
CITY, PRICE = Argument("city", ("Tarn",)), Argument("price")


def scores(
    gold: tuple[Act, ...], found: tuple[Act, ...] | None, **settings: bool
) -> dict[str, float]:
    metric = ActMatch(**settings)
    prediction = None if found is None else Prediction(found)
    counts = metric.statistics(QUESTION, gold, prediction)
    return {name: score.value for name, score in metric.scores(counts).items()}


def test_slots_count_without_their_act_and_acts_once_a_turn() -> None:
    gold = (Act("inform", (CITY,)), Act("inform"), Act("request", (PRICE,)))
    guess = (Act("inform", (PRICE, Argument("city", ("TARN",)))), Act("thankyou"))
    assert scores(gold, guess) == pytest.approx({"slot_f1": 100, "act_f1": 50, "item_f1": 50})
    assert set(scores(gold, None).values()) == {0.0}
    assert set(scores((), ()).values()) == {0.0}


def test_with_frames_an_argument_is_right_where_its_frame_is() -> None:
    def about(frame: int) -> tuple[Act, ...]:
        return (Act("inform", (Argument("ref", references=(Reference(frame, (CITY,)),)),)),)

    right = scores(about(2), about(2), frames=True)
    assert right == dict.fromkeys(("frame_f1", "slot_f1", "act_f1", "item_f1"), 100.0)
    assert scores(about(2), about(0), frames=True)["frame_f1"] == 0
    assert scores(about(2), about(0), frames=True)["item_f1"] == 100


def test_it_is_registered() -> None:
    assert METRICS.get("acts") is ActMatch
