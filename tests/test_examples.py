"""The examples run as a reader would run them, without corpora, and the sample is sound."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue.views import action, tasks
from dialoom.quality.roundtrip import roundtrip
from dialoom.quality.stats import Statistics

EXAMPLES = Path(__file__).parents[1] / "examples"
SAMPLE = EXAMPLES / "sample"


def run(script: Path, folder: Path) -> str:
    environment = {k: v for k, v in os.environ.items() if k != "DIALOOM_CORPORA"}
    environment.setdefault("OMP_NUM_THREADS", "1")  # tests may run beside one another
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", sorted(EXAMPLES.glob("[0-9]*.py")), ids=lambda path: path.stem)
def test_an_example_runs(script: Path, tmp_path: Path) -> None:
    assert run(script, tmp_path).strip()
    assert list(tmp_path.iterdir()) == []


def test_the_demonstration_runs_without_corpora(tmp_path: Path) -> None:
    said = run(EXAMPLES / "demo.py", tmp_path)
    assert "DIALOOM_CORPORA" in said.split("ten dialogues")[0]
    assert "follower: " in said
    written = sorted(path.name for path in (tmp_path / "out" / "demo").iterdir())
    assert written == ["native", "report.html", "run.json", "run.jsonl"]


def test_the_sample_is_ten_dialogues_that_come_back_byte_for_byte() -> None:
    corpus = formats.load(SAMPLE)
    assert corpus.format == "star"
    verdicts = [verdict for _, verdict in roundtrip(corpus, formats.get("star"))]
    assert verdicts == ["bytes"] * 10


def test_the_sample_has_what_the_demonstration_needs() -> None:
    corpus = formats.load(SAMPLE)
    counts = Statistics(formats.get("star").event_name).add_all(corpus.dialogues()).result()
    assert counts["difficulty_of_complete"] == {"happy": 8, "multi-task": 1, "unhappy": 1}
    assert len(counts["domains"]) == 4
    for dialogue in corpus.dialogues():
        known = {label for task in tasks(dialogue) for label in corpus.schemas[task].replies}
        labels = {label for event in dialogue.events if (label := action(event))}
        assert labels <= known
