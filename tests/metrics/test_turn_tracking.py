"""Joint goal accuracy by turn beside that by frame."""

from __future__ import annotations

from collections import Counter

import pytest

from dialoom.dialogue import Dialogue, Prediction, Question, State, StateOf
from dialoom.metrics.base import Counts
from dialoom.metrics.bootstrap import total
from dialoom.metrics.state import TURN, TurnTracking

GIVEN, IDLE = State(values={"city": ("Oslo",)}), State()


def asked(dialogue: str, event: int, gold: dict[str, State], guess: dict[str, State]) -> Counts:
    counts: Counts = Counter()
    for service, state in gold.items():
        question = Question(Dialogue(id=dialogue, events=()), event, StateOf((service,)))
        prediction = Prediction({service: guess.get(service, IDLE)})
        counts += TurnTracking().statistics(question, {service: state}, prediction)
    return counts


def values(*counts: Counts, by_turn: bool = False) -> dict[str, float]:
    scores = TurnTracking(by_turn=by_turn).scores(total(list(counts)))
    return {name: score.value for name, score in scores.items()}


def test_idle_services_count_as_right_by_frame_and_not_by_turn() -> None:
    gold = {"Stay": GIVEN, "Taxi": IDLE, "Train": IDLE, "Food": IDLE}
    scores = values(asked("1", 0, gold, {}))
    assert (scores["joint_goal_accuracy"], scores[TURN]) == (75.0, 0.0)
    scores = values(asked("1", 0, gold, {"Stay": GIVEN}), asked("1", 2, gold, {}))
    assert (scores["joint_goal_accuracy"], scores[TURN]) == (87.5, 50.0)


def test_they_are_equal_where_each_turn_has_one_frame() -> None:
    counts = [asked("1", n, {"Stay": GIVEN}, {"Stay": GIVEN} if n else {}) for n in range(4)]
    scores = values(*counts)
    assert scores["joint_goal_accuracy"] == scores[TURN] == 75.0


@pytest.mark.parametrize("by_turn", [True, False])
def test_the_main_score_comes_first(by_turn: bool) -> None:
    assert (next(iter(values(by_turn=by_turn))) == TURN) is by_turn


def test_a_dialogue_that_is_drawn_twice_counts_twice() -> None:
    metric = TurnTracking()
    one = asked("1", 0, {"Stay": GIVEN, "Taxi": IDLE}, {"Stay": GIVEN})
    other = asked("2", 0, {"Stay": GIVEN, "Taxi": IDLE}, {})
    draws = [metric.condense([one, other])[n] for n in (0, 0, 1)]
    assert metric.scores(total(draws))[TURN].value == pytest.approx(200 / 3)
