"""`dialoom serve` for tasks without a flow, whose calls are made by a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.cli.serve import _ready
from dialoom.errors import UsageError


def test_a_task_with_an_environment_needs_goals(tmp_path: Path) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text("task: shop\nenvironment: mcp:shop\n")
    with pytest.raises(UsageError, match="goals"):
        _ready({"tasks": [str(file)], "agent": "silent", "seed": 1})
    file.write_text("task: shop\nenvironment: mcp:shop\ngoals: [{id: a, told: [b]}]\n")
    (task,) = _ready({"tasks": [str(file)], "agent": "silent", "seed": 1}).tasks
    assert task.environment is not None
