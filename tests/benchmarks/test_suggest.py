"""The benchmark of suggestions runs and reports; what it measures is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, reported

LIMIT = "ranking, 99 of 100, limit"


def test_it_runs(tmp_path: Path) -> None:
    figures = reported(tmp_path, "suggest")
    check_figures(figures, {"ranking, median", "ranking, 99 of 100", LIMIT})
    assert figures[LIMIT]["floor"] == 20.0
