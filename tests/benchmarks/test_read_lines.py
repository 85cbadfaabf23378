"""The benchmark of reading runs and reports; what it measures is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, reported


def test_it_runs(tmp_path: Path) -> None:
    figures = reported(tmp_path, "read_lines")
    check_figures(figures, {"a line", "a line, limit"})
    assert figures["a line, limit"]["floor"] == 2.0
