"""The tools of a server, listed by starting it; and what is no server."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialoom.cli.app import app
from dialoom.errors import DialoomError
from dialoom.schema.yaml.reading import read_task

SERVER = shlex.join([sys.executable, "-m", "dialoom", "mcp", "--tasks", "weather", "--seed", "7"])


def test_a_tool_of_a_server_becomes_a_task_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", ":".join(filter(None, sys.path)))
    out = tmp_path / "weather.yaml"
    words = ["schema", "import", f"mcp:{SERVER}", "--task", "weather", "--out", str(out)]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert {"city", "day"} <= read_task(out).slots.keys()


@pytest.mark.parametrize("server", ["", "/nowhere/at-all"])
def test_what_is_no_server_is_refused(server: str, tmp_path: Path) -> None:
    out = tmp_path / "none.yaml"
    words = ["schema", "import", f"mcp:{server}", "--task", "weather", "--out", str(out)]
    assert isinstance(CliRunner().invoke(app, words).exception, DialoomError)
    assert not out.exists()
