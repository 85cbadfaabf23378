"""The order of experiments, and what is told of the time that they take."""

from __future__ import annotations

from pathlib import Path

import msgspec

from dialoom.bench.core.results import Result
from dialoom.bench.suite.experiments import Experiment, experiments
from dialoom.bench.suite.page import page
from dialoom.bench.suite.running import cheapest_first, estimate, spell

LIST = [
    Experiment("unknown", "", "star-next-action"),
    Experiment("slow", "", "star-next-action", seconds=9000),
    Experiment("fast", "", "star-next-action", seconds=5),
]


def test_the_cheapest_are_run_first_and_those_not_measured_last() -> None:
    assert [each.name for each in cheapest_first(LIST)] == ["fast", "slow", "unknown"]
    seconds = [each.seconds for each in cheapest_first(experiments()) if each.seconds is not None]
    assert seconds == sorted(seconds)
    assert {each.seconds for each in experiments(quick=True)} == {None}


def test_measured_times_and_those_of_earlier_runs_are_told(tmp_path: Path) -> None:
    assert estimate(LIST, tmp_path) == (
        "3 experiments, the cheapest first; others that were measured: 2, 2.5 hours of CPU time if "
        "each is run alone, less with the fits that they share; never measured: 1"
    )
    done = Result(
        protocol="", title="", corpus="", model="", scores={}, holdouts=[], missing=[], options={},
        settings={}, slices=[], without_leak=None, train_corpus=None, digests={},
        seconds={"happy": 100.0, "multi": 80.0},
    )  # fmt: skip
    (tmp_path / "slow.json").write_bytes(msgspec.json.encode(done))
    forecast = estimate(LIST[1:], tmp_path)
    assert f"with a result in {tmp_path}: 1, 3.0 minutes of fitting and asking" in forecast
    assert "others that were measured: 1, 5 seconds" in forecast
    assert "never measured" not in forecast
    assert forecast in page([], expected=forecast)


def test_a_time_is_told_in_the_largest_unit_that_it_has_two_of() -> None:
    assert [spell(each) for each in (0.4, 119, 120, 7199, 7200)] == [
        "0 seconds",
        "119 seconds",
        "2.0 minutes",
        "120.0 minutes",
        "2.0 hours",
    ]
