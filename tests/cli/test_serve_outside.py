"""`dialoom serve` for tasks without a flow, whose calls are made by a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.kinds.bot import BotKind
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.errors import UsageError
from dialoom.serve.chat.settings import ChatSettings, study_of


def kind(file: Path) -> BotKind:
    settings = study_of(ChatSettings(tasks=(str(file),), agent="silent", seed=1))
    assert not isinstance(settings.stages, str)
    (stage,) = settings.stages
    return BotKind(ScenarioLibrary(settings), settings, stage)


def test_a_task_with_an_environment_needs_goals(tmp_path: Path) -> None:
    file = tmp_path / "shop.yaml"
    file.write_text("task: shop\nenvironment: mcp:shop\n")
    with pytest.raises(UsageError):
        kind(file)
    file.write_text("task: shop\nenvironment: mcp:shop\ngoals: [{id: a, reported: [b]}]\n")
    (task,) = kind(file).schemas.values()
    assert task.environment is not None
