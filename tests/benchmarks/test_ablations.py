"""The ablations run and report; what they measure is no test's business."""

from __future__ import annotations

from pathlib import Path

from tests.benchmarks.running import reported


def test_without_a_corpus(tmp_path: Path) -> None:
    figures = reported(tmp_path, "ablations", "cue-thanks", "slots.MANY")
    assert set(figures) == {"another seed", "cue-thanks", "slots.MANY x 0.5", "slots.MANY x 2"}
