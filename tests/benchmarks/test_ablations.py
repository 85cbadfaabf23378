"""The ablations run and report; what they measure is no test's business."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).parents[2] / "benchmarks" / "ablations.py"


def test_without_a_corpus(tmp_path: Path) -> None:
    written = tmp_path / "differences.json"
    done = subprocess.run(
        [sys.executable, FILE, "--quick", "--json", written, "cue-thanks", "plan.MANY"],
        env={name: value for name, value in os.environ.items() if name != "DIALOOM_CORPORA"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    names = {"another seed", "cue-thanks", "plan.MANY x 0.5", "plan.MANY x 2"}
    assert set(json.loads(written.read_bytes())) == names
    assert all(name in done.stdout for name in names)
