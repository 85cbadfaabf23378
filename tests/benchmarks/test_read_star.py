"""The benchmarks run and report; what they measure is no test's business."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"

NAMES = {
    "read STAR",
    "read and write STAR",
    "import dialoom",
    "import the data model and formats",
}


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "DIALOOM_CORPORA"}
    return subprocess.run(
        [sys.executable, FOLDER / "read_star.py", "--quick", *arguments],
        env=inherited | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_without_a_corpus(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = run("--json", file)
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(file.read_bytes())
    assert set(figures) == NAMES
    for name, figure in figures.items():
        assert set(figure) == {"value", "unit", "floor", "ratio"}
        assert name in done.stdout
        assert figure["floor"] > 0


def test_a_corpus_that_is_not_there(tmp_path: Path) -> None:
    for done in (
        run("--corpus", tmp_path / "nowhere"),
        run(DIALOOM_CORPORA=str(tmp_path / "nowhere")),
    ):
        assert done.returncode == 2
        assert done.stderr.startswith("read_star: ")
        assert "Traceback" not in done.stderr
