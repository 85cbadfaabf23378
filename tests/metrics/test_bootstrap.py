"""Intervals: what they contain, what they depend on, and what they do not."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

import pytest

from dialoom.metrics import Counts, macro, resample
from dialoom.metrics.bootstrap import difference_bounds, needed, percentiles, total, wilson
from dialoom.metrics.classification import Classification


def dialogues(n: int, share: float, seed: int = 0) -> list[Counts]:
    """Return `n` dialogues of four questions, each answered right with probability `share`."""
    random_ = random.Random(seed)
    return [
        Counter(("ask", "ask" if random_.random() < share else "query") for _ in range(4))
        for _ in range(n)
    ]


METRIC = Classification()

GROUPS: dict[str, Sequence[Counts]] = {"a": dialogues(80, 0.7, 1), "b": dialogues(40, 0.4, 2)}


def test_the_interval_holds_the_score_and_has_the_width_of_theory() -> None:
    interval = resample(METRIC, {"a": GROUPS["a"]}).interval("accuracy")
    score = macro(METRIC, {"a": GROUPS["a"]})["accuracy"]
    assert interval.low < score < interval.high
    # The standard error of a share over 320 questions: sqrt(p (1 - p) / n), here times 100.
    error = (score * (100 - score) / 320) ** 0.5
    assert interval.high - interval.low == pytest.approx(2 * 1.96 * error, rel=0.25)


def test_a_seed_fixes_the_interval_whatever_the_order_of_hold_outs() -> None:
    again = {name: GROUPS[name] for name in ("b", "a")}
    assert resample(METRIC, GROUPS) == resample(METRIC, again)
    assert resample(METRIC, GROUPS) != resample(METRIC, GROUPS, seed=1)


def test_the_mean_is_over_hold_outs_not_over_questions() -> None:
    a, b = (macro(METRIC, {name: counts})["accuracy"] for name, counts in GROUPS.items())
    assert macro(METRIC, GROUPS)["accuracy"] == pytest.approx((a + b) / 2)


def test_some_hold_outs_only() -> None:
    both = resample(METRIC, GROUPS, samples=100)
    assert both.interval("accuracy", ["a"]).low > both.interval("accuracy", ["b"]).high
    assert both.means("accuracy", ["b"]) == both.values["accuracy"]["b"]


def test_a_system_that_never_errs_has_no_spread() -> None:
    interval = resample(METRIC, {"a": dialogues(5, 1.1)}, samples=50).interval("f1")
    assert (interval.low, interval.high) == (100.0, 100.0)


def test_percentiles_interpolate() -> None:
    interval = percentiles(list(range(101)))
    assert interval.low == pytest.approx(2.5)
    assert interval.high == pytest.approx(97.5)
    assert percentiles([]).low == 0.0


def test_totals() -> None:
    assert total([Counter({("a", "b"): 1}), Counter({("a", "b"): 2})]) == {("a", "b"): 3}
    assert macro(METRIC, {}) == {}


def test_few_outcomes_that_occur_often_can_be_left_out_of_a_draw() -> None:
    often: list[Counts] = [Counter({("ask", "ask"): 50}), Counter({("query", "query"): 50})]
    draws = resample(METRIC, {"a": often}, samples=50)
    assert set(draws.values["f1"]["a"]) == {100.0}


def test_wilson_of_few_trials() -> None:
    """Table 1 of Newcombe (1998) has 81 of 263: 0.2553 to 0.3662, and 0 of 20: 0 to 0.1611."""
    assert wilson(100 * 81 / 263, 263) == pytest.approx((25.53, 36.62), abs=0.01)
    assert wilson(0, 20) == pytest.approx((0, 16.11), abs=0.01)
    assert wilson(50, 0) == (0, 100)


def test_trials_that_a_precision_needs() -> None:
    many = needed(80, 2)
    low, high = wilson(80, many)
    assert high - low == pytest.approx(4, abs=0.05)
    assert needed(100, 2) == needed(95, 2)


def test_the_difference_of_two_shares() -> None:
    # Newcombe (1998), table II: 9 of 10 less 3 of 10
    assert difference_bounds(30, 90, 10) == pytest.approx((17.05, 80.90), abs=0.01)
    assert difference_bounds(100, 100, 10) == pytest.approx((-27.75, 27.75), abs=0.01)
    assert difference_bounds(50, 50, 20, alike=1.0) == (0, 0)
    wide, narrow = (difference_bounds(80, 90, 20, alike) for alike in (0.0, 0.6))
    assert wide[0] < narrow[0] < 10 < narrow[1] < wide[1]
