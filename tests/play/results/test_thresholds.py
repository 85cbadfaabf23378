"""Thresholds of a run's figures."""

from __future__ import annotations

import pytest

from dialoom.errors import DialoomError, UsageError
from dialoom.play.results.summary import percentile
from dialoom.play.results.thresholds import failed, missed, read_thresholds
from tests.make import refuses

FIGURES = {"success": 85.0, "unasked": 10.0, "reported": None, "spent": {"latency_p95": 2.5}}


@pytest.mark.parametrize(
    ("limits", "beyond"),
    [
        ("success=85", 0),
        ("success=86", 1),
        ("unasked=10", 0),
        ("unasked=9.9", 1),
        ("latency_p95=2.5,success=10", 0),
        ("latency_p95=2,success=90", 2),
        ("reported=0", 1),
        ("cost=0,calls=0", 0),
    ],
)
def test_figures_beyond_their_threshold(limits: str, beyond: int) -> None:
    assert len(list(missed(read_thresholds(limits), FIGURES))) == beyond


@pytest.mark.parametrize(
    "limits", ["success", "success=", "sucess=90", "success=9,=3", "success=nan", ""]
)
def test_wrong_thresholds_are_refused(limits: str) -> None:
    with pytest.raises(DialoomError):
        read_thresholds(limits)


def test_the_most_is_for_figures_of_which_less_is_better() -> None:
    both = read_thresholds("success=85", "asked_twice=5,misstated=0")
    assert both == {"success": 85, "asked_twice": 5, "misstated": 0}
    assert len(list(missed(both, {**FIGURES, "asked_twice": 5.1, "misstated": 0.0}))) == 1
    for limits in ("success=90", "asked_twice", "asked=3"):
        with pytest.raises(DialoomError):
            read_thresholds(None, limits)


@pytest.mark.parametrize("least", ["success=50,success=0", "success=50,turns=5", "turns=1,turns=1"])
def test_a_figure_has_one_threshold(least: str) -> None:
    with refuses(UsageError, "twice"):
        read_thresholds(least, "turns=1")


def test_dialogues_without_a_result_fail_a_run_unless_they_have_a_threshold() -> None:
    figures = {**FIGURES, "no_result": 2}
    assert len(failed({}, figures)) == 1
    assert failed({"no_result": 2}, figures) == []
    assert len(failed({"no_result": 1}, figures)) == 1


def test_percentiles() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, share) for share in (50, 95, 100)] == [50, 95, 100]
    assert percentile([3.0], 50) == percentile([3.0], 95) == 3.0
    assert percentile([], 95) == 0
