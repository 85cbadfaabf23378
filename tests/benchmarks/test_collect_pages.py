"""The benchmark of a study's pages runs and reports; what it measures is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import check_figures, reported

PAGES = (
    "admin",
    "admin, all lists",
    "admin, items",
    "admin, signals",
    "admin, bonuses",
    "admin, accounts",
    "admin, a dialogue",
    "worker, link",
    "worker, to the first item",
    "worker, a saved grade",
    "worker, the next item",
)


def test_every_page(tmp_path: Path) -> None:
    names = {f"{page}, {what}" for page in PAGES for what in ("p50", "p99", "CPU")}
    check_figures(reported(tmp_path, "collect_pages"), names)
