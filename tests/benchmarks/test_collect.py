"""The collection server's benchmark runs and reports; what it measures is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, reported, run

NAMES = {
    "store",
    "group",
    "messages",
    "of the server",
    "of the load",
    "messages at pace",
    "acknowledged, p50",
    "acknowledged, p99",
    "seating",
    "memory at pace",
    "boot",
    "boot, processor",
    "replayed",
    "memory",
    "erased",
    "records of others",
}


def test_every_part(tmp_path: Path) -> None:
    check_figures(reported(tmp_path, "collect"), NAMES)


def test_a_part_that_there_is_not(tmp_path: Path) -> None:
    done = run("collect", "--only", "boot,shop", folder=tmp_path)
    assert done.returncode == 2
    assert "no part 'shop'" in done.stderr
    assert "Traceback" not in done.stderr
