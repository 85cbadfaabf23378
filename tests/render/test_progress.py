"""Progress where standard error is no terminal: a line now and then."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from dialoom.render import progress


def test_a_long_step_is_reported_while_it_lasts(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.02)
    with progress.progress_bar("hold-outs", 13) as bar:
        bar.advance(3)
        bar.now("weather")
        time.sleep(0.2)
    lines = capfd.readouterr().err.splitlines()
    assert "dialoom: hold-outs: 3 of 13, 0 s, weather" in lines


def test_what_is_soon_done_is_not_reported(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(progress.track([1, 2], "files")) == [1, 2]
    assert capfd.readouterr().err == ""


def test_python_ends_while_a_generator_with_progress_is_open() -> None:
    """Python 3.13 closes the generator when its threads no longer run: a join would not return."""
    code = "from dialoom.render.progress import track; left = track([1, 2], 'files'); next(left)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
