"""Running a benchmark in its quick form, without the corpora that may be at hand."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "benchmarks"


def run(
    name: str, *arguments: str | Path, folder: Path | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run a benchmark in a folder."""
    inherited = {name: value for name, value in os.environ.items() if name != "DIALOOM_CORPORA"}
    return subprocess.run(
        [sys.executable, FOLDER / f"{name}.py", "--quick", *arguments],
        env=inherited | environment,
        capture_output=True,
        cwd=folder,
        text=True,
        check=False,
    )


def reported(folder: Path, name: str, *arguments: str) -> dict[str, Any]:
    """Run a benchmark in a folder and return what it reports there, in a table and as JSON."""
    file = folder / "figures.json"
    done = run(name, "--json", file, *arguments, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert list(folder.iterdir()) == [file]
    figures: dict[str, Any] = json.loads(file.read_bytes())
    assert all(each in done.stdout for each in figures)
    return figures


def check_figures(found: dict[str, Any], names: set[str]) -> None:
    """Check that there are the figures of these names, each beside a floor."""
    assert set(found) == names
    for figure in found.values():
        assert set(figure) == {"value", "unit", "floor", "ratio"}
        assert figure["floor"] > 0


def check_refusal(done: subprocess.CompletedProcess[str], begins: str) -> None:
    """Check that a run ended with a line of that beginning and nothing else."""
    assert done.returncode == 2
    assert done.stderr.startswith(begins)
    assert "Traceback" not in done.stderr
