"""Figures of a run."""

from __future__ import annotations

from itertools import combinations

import pytest

from dialoom.play.results.summary import Played, pass_hat, summarise


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
