"""State metrics, by hand and by the laws of the official evaluation."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Prediction, Question, State, StateOf
from dialoom.metrics.base import Counts
from dialoom.metrics.bootstrap import total
from dialoom.metrics.state import (
    FRAME,
    MEASURES,
    SchemaSensitivity,
    StateTracking,
    likeness,
    multiset_f1,
)
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

SLOTS = {
    "price": Slot(name="price", type="category", values={"cheap": (), "dear": ()}),
    "city": Slot(name="city", type="short text"),
}
METRIC = StateTracking({"Hotels_1": TaskSchema(id="Hotels_1", slots=SLOTS)})
QUESTION = Question(Dialogue(id="1", events=()), 0, StateOf(("Hotels_1",)))
GOLD = State("Find", ("phone",), {"price": ("cheap",), "city": ("Old Harbour", "the harbour")})


def values(gold: State, guess: State | None) -> dict[str, float]:
    prediction = Prediction({"Hotels_1": guess} if guess else {})
    counts = METRIC.statistics(QUESTION, {"Hotels_1": gold}, prediction)
    return {name: score.value for name, score in METRIC.scores(counts).items()}


def test_what_is_right_scores_a_hundred() -> None:
    assert values(GOLD, GOLD) == dict.fromkeys(MEASURES, 100.0)


def test_a_missing_frame_is_wrong_everywhere() -> None:
    assert values(GOLD, None) == dict.fromkeys(MEASURES, 0.0)


def test_a_value_counts_as_much_as_it_is_alike_and_joint_is_the_product() -> None:
    guess = State("NONE", (), {"price": ("cheap",), "city": ("harbour, old!",)})
    assert values(GOLD, guess)["joint_goal_accuracy"] == 100.0
    near = State("Find", ("phone",), {"price": ("cheap",), "city": ("old harbor",)})
    scores = values(GOLD, near)
    alike = 100 * likeness("Old Harbour", "old harbor")
    assert [likeness("$$", "$$"), likeness("", "?"), likeness("", "a")] == [1.0, 1.0, 0.0]
    assert 90 < alike < 100
    assert scores["joint_goal_accuracy"] == pytest.approx(alike)
    assert scores["average_goal_accuracy"] == pytest.approx((100 + alike) / 2)


def test_a_categorical_slot_needs_the_very_value_and_a_slot_too_many_spoils_the_frame() -> None:
    guess = State("Find", ("phone",), {"price": ("Cheap",), "city": ("old harbour",)})
    assert values(GOLD, guess)["average_goal_accuracy"] == 50.0
    more = State("Find", ("phone",), {**GOLD.values, "stars": ("3",)})
    scores = values(GOLD, more)
    assert (scores["joint_goal_accuracy"], scores["average_goal_accuracy"]) == (0.0, 100.0)


def test_frames_without_active_slots_are_left_out_of_the_average() -> None:
    counts = METRIC.statistics(QUESTION, {"Hotels_1": State("Find")}, Prediction({}))
    assert not [name for name, _ in counts if name == "average_goal_accuracy"]


def test_sensitivity_is_the_deviation_over_the_mean_of_a_frame_under_several_schemas() -> None:
    metric = SchemaSensitivity({"Hotels_1": TaskSchema(id="Hotels_1", slots=SLOTS)})
    wrong = State("Find", ("phone",), {})
    counts: Counts = Counter()
    for frame, guesses in {"a": (GOLD, wrong), "b": (GOLD, GOLD), "c": (wrong, wrong)}.items():
        gold = {"Hotels_1": replace(GOLD, extra={FRAME: frame})}
        for guess in guesses:
            counts += metric.statistics(QUESTION, gold, Prediction({"Hotels_1": guess}))
    scores = metric.scores(counts)
    assert scores["joint_goal_accuracy"].value == 50.0
    assert scores["schema_sensitivity"].value == pytest.approx(100 / 3)


def test_variants_of_a_dialogue_are_resampled_together() -> None:
    metric = SchemaSensitivity({"Hotels_1": TaskSchema(id="Hotels_1", slots=SLOTS)})
    counts: list[Counts] = []
    for guess in (GOLD, State("Find", ("phone",), {})):  # under two variants of the schema
        for dialogue in ("1:x", "2"):
            gold = {"Hotels_1": replace(GOLD, extra={FRAME: f"{dialogue}:0:Hotels_1"})}
            right = Prediction({"Hotels_1": GOLD if dialogue == "2" else guess})
            counts.append(metric.statistics(QUESTION, gold, right))
    first, second = metric.condense(counts)
    assert metric.scores(first)["schema_sensitivity"].value == 100.0
    assert metric.scores(second)["schema_sensitivity"].value == 0.0
    assert metric.scores(first + second) == metric.scores(total(counts))


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_requested_slots_are_multisets(one: list[str], other: list[str]) -> None:
    assert 0 <= multiset_f1(one, other) == multiset_f1(other, one) <= 1
    assert multiset_f1(one, one) == 1
    assert multiset_f1(["a", "a"], ["a"]) == pytest.approx(2 / 3)
