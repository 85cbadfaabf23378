"""The benchmark of the formats runs and reports; what it measures is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, check_refusal, reported, run

NAMES = {"read SGD", "read and write SGD", "lint SGD", "peak memory"}


def test_without_corpora(tmp_path: Path) -> None:
    check_figures(reported(tmp_path, "formats"), NAMES)


def test_corpora_that_are_not_there(tmp_path: Path) -> None:
    check_refusal(run("formats", "--corpora", tmp_path / "nowhere"), "formats: ")
