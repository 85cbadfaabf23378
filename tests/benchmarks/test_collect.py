"""The collection server's benchmark runs and reports; what it measures is no test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"

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
}


def run(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, FOLDER / "collect.py", "--quick", *arguments],
        capture_output=True,
        cwd=folder,
        text=True,
        check=False,
    )


def test_every_part(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = run(tmp_path, "--json", file)
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(file.read_bytes())
    assert set(figures) == NAMES
    for name, figure in figures.items():
        assert set(figure) == {"value", "unit", "floor", "ratio"}
        assert name in done.stdout
        assert figure["floor"] > 0
    assert list(tmp_path.iterdir()) == [file]


def test_a_part_that_there_is_not(tmp_path: Path) -> None:
    done = run(tmp_path, "--only", "boot,shop")
    assert done.returncode == 2
    assert "no part 'shop'" in done.stderr
    assert "Traceback" not in done.stderr
