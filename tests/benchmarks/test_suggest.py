"""The benchmark of suggestions runs and reports; what it measures is no test's business."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "suggest.py"


def test_it_runs(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    done = subprocess.run(
        [sys.executable, SCRIPT, "--quick", "--json", file],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    figures = json.loads(file.read_bytes())
    limit = "ranking, 99 of 100, limit"
    assert set(figures) == {"ranking, median", "ranking, 99 of 100", limit}
    assert figures[limit]["floor"] == 20.0
