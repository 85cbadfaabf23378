"""The benchmarks run and report; what they measure is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, check_refusal, reported, run

NAMES = {
    "read STAR",
    "read and write STAR",
    "import dialoom",
    "import the data model and formats",
}


def test_without_a_corpus(tmp_path: Path) -> None:
    check_figures(reported(tmp_path, "read_star"), NAMES)


def test_a_corpus_that_is_not_there(tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere"
    check_refusal(run("read_star", "--corpus", nowhere), "read_star: ")
    check_refusal(run("read_star", DIALOOM_CORPORA=str(nowhere)), "read_star: ")
