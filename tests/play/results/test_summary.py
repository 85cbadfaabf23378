"""Figures of a run."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

from dialoom.play.results.summary import Played, pass_hat, summarise, table


@pytest.mark.parametrize("trials", [1, 4, 6])
def test_pass_hat_is_the_share_of_draws_that_all_succeed(trials: int) -> None:
    for successes in range(trials + 1):
        outcomes = [True] * successes + [False] * (trials - successes)
        for k in range(1, trials + 1):
            draws = list(combinations(outcomes, k))
            assert pass_hat(successes, trials, k) == pytest.approx(
                sum(map(all, draws)) / len(draws)
            )


def test_faults_of_users_are_shown_apart() -> None:
    good, bad = {"reached": True}, {"reached": False, "faults": ["leaves"]}
    run = [Played("weather", 0, good, {}), Played("weather", 0, bad, {"effects": {"t": {}}})]
    summary = summarise(run)
    (row,) = summary["tasks"]
    assert (row["success"], row["success_without_user_faults"]) == (50, 100)
    assert (row["user_faults"], row["faults"]) == (1, {"leaves": 1})
    assert row["pass_hat"] == {"1": 50, "2": 0}
    assert summary["silent"]["reached"] == 50


def test_pass_hat_is_over_goals_with_as_many_results() -> None:
    good: dict[str, Any] = {"reached": True}
    failed = {"reached": True, "failure": {"side": "agent", "turn": 1, "what": "late"}}
    trials = [(0, good), (0, good), (1, good), (1, failed), (2, failed), (2, failed)]
    run = [Played("weather", goal, verdict, {}) for goal, verdict in trials]
    run.insert(0, Played("weather", 1, {"reached": False}, {}))
    run.insert(0, Played("trivia", 0, failed, {}))
    summary = summarise(run)
    whole = summary["all"]
    assert whole["pass_hat"] == {"1": 75, "2": 50}
    assert (whole["trials"], whole["no_result"], whole["success"]) == (8, 4, 75)
    assert whole["failures"] == {"agent: late": 4}
    assert summary["tasks"][0]["success"] is None
    assert whole["pass_hat_interval"].keys() == {"1", "2"}


def test_few_tasks_have_an_interval_over_goals() -> None:
    good, bad = {"reached": True}, {"reached": False}
    run = [Played(task, goal, good, {}) for task in "ab" for goal in range(25)]
    whole = summarise(run)["all"]
    assert whole["interval_over"] == {"1": "goals"}
    low, high = whole["pass_hat_interval"]["1"]
    assert 92 < low < 94
    assert high == pytest.approx(100)
    many = [Played(str(t), g, bad if t > g else good, {}) for t in range(12) for g in range(10)]
    assert summarise(many)["all"]["interval_over"] == {"1": "tasks"}


def test_the_interval_over_tasks_is_of_the_mean_over_goals() -> None:
    """One task has most goals, so the mean is near its share, not near that of the ten others."""
    good, bad = {"reached": True}, {"reached": False}
    run = [Played(str(task), 0, good, {}) for task in range(10)]
    run += [Played("many", goal, bad, {}) for goal in range(20)]
    whole = summarise(run)["all"]
    (low, high), value = whole["pass_hat_interval"]["1"], whole["pass_hat"]["1"]
    assert whole["interval_over"] == {"1": "tasks"}
    assert low < value < high


def test_intervals_over_goals_cover_the_truth() -> None:
    """Of 400 runs of two tasks with 25 goals at 90 %, some 95 % have the truth in the interval."""
    draw = random.Random(3)
    inside = 0
    for _ in range(400):
        run = [
            Played(task, goal, {"reached": draw.random() < 0.9}, {})
            for task in "ab"
            for goal in range(25)
        ]
        low, high = summarise(run)["all"]["pass_hat_interval"]["1"]
        inside += low <= 90 <= high
    assert 370 <= inside <= 396


def test_tasks_that_no_agent_can_fail_are_named() -> None:
    good: dict[str, Any] = {"reached": True}
    run = [
        Played("idle", 0, good, {}),
        Played("weather", 0, good, {"reported": [{"value": "sun"}]}),
    ]
    summary = summarise(run)
    assert {row["task"]: row["silent"] for row in summary["tasks"]} == {"idle": 100, "weather": 0}
    (note,) = (each for each in table(summary, "flow", "users").notes if "idle" in each)
    assert "weather" not in note
