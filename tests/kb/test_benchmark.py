"""The benchmark runs, and reports what `make bench` reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "kb.py"


def test_the_benchmark_reports_each_figure_next_to_its_floor(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    subprocess.run([sys.executable, PROGRAM, "--quick", "--json", file], check=True)
    figures = json.loads(file.read_text(encoding="utf-8"))
    assert {"indexed query", "find", "search", "check, book, undo"} <= set(figures)
    assert all(set(f) == {"value", "unit", "floor", "ratio"} for f in figures.values())
    assert all(figure["ratio"] > 0 for figure in figures.values())
