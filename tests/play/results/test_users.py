"""Kinds of users, compared: talks with one agent, goals of one seed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

import dialoom
from dialoom.dialogue.annotation import SYSTEM_NAME
from dialoom.errors import UsageError
from dialoom.play.results.users import compare_users
from tests.make import refuses


def corpus(seed: int, agents: tuple[str, ...] = ()) -> Any:
    """Return the dialogues of a run, as if people had talked with some agents."""
    run = dialoom.play("flow", tasks="weather", n=4, seed=seed)
    talks = [each.dialogue for each in run.dialogues]
    talks[: len(agents)] = [
        replace(dialogue, extra={**dialogue.extra, SYSTEM_NAME: name})
        for dialogue, name in zip(talks, agents, strict=False)
    ]
    return SimpleNamespace(schemas=run.tasks, dialogues=lambda: iter(talks))


def test_talks_with_several_agents_need_the_name_of_one() -> None:
    talks = corpus(5, ("flow", "flow", "flow", "silent"))
    with refuses(UsageError, "not-given", "flow", "silent"):
        compare_users({"people": talks})
    assert compare_users({"people": talks}, "flow")["people"]["dialogues"] == 3
    with pytest.raises(UsageError):
        compare_users({"people": talks}, "oracle")


def test_goals_of_another_seed_are_not_paired() -> None:
    comparison = compare_users({"one": corpus(5), "same": corpus(5), "other": corpus(6)})
    assert (comparison["same"]["shared_goals"], comparison["other"]["shared_goals"]) == (4, 0)
    same, other = (comparison[name]["differences"]["turns"] for name in ("same", "other"))
    assert (same["value"], same["interval"], same["paired"]) == (0, (0, 0), True)
    assert not other["paired"] and other["interval"][0] < other["interval"][1]
