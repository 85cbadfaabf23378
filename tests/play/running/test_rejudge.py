"""Runs that are judged again."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom.dialogue import encode
from dialoom.errors import UnknownNameError, UsageError
from dialoom.play.results.run import PlayedDialogue, PlayRun, read_run, write_run
from dialoom.play.running.plan import make_run, plan_of
from dialoom.play.running.rejudge import Rejudged
from dialoom.play.users.goals import PlayGoal
from dialoom.schema import pack
from tests.make import refuses

TASKS = tuple(pack.load(name) for name in ("hotel_book", "weather"))


@pytest.mark.parametrize("user", ["simulated", "simulated:unhappy", "simulated:multi"])
def test_the_same_rules_give_the_same_verdicts(tmp_path: Path, user: str) -> None:
    run = make_run(plan_of(TASKS, "flow", user, 4, 2, 7), tmp_path / "run")
    again = Rejudged(run)
    lines = [[encode(each.dialogue) for each in version.dialogues] for version in (run, again)]
    assert lines[0] == lines[1]
    assert list(again.changes) == []


def test_another_verdict_is_a_change_with_its_reason(tmp_path: Path) -> None:
    run = make_run(plan_of(TASKS, "silent", "simulated", 2, 1, 7), tmp_path / "run")
    first = run.dialogues[0]
    wrong = {
        **first.dialogue.extra["play"],
        "reached": True,
        "unreported": [],
        "ended": "completed",
    }
    copy = replace(first.dialogue, extra={"play": wrong}, outcome="reached")
    stale = PlayedDialogue(copy, replace(first.played, verdict=wrong))
    old = PlayRun(run.path, run.settings, [stale, *run.dialogues[1:]])
    (change,) = Rejudged(old).changes
    assert (change.id, change.before) == (first.dialogue.id, "success")
    assert change.after == "not done"
    assert change.why


def test_goals_may_be_mended(tmp_path: Path) -> None:
    goal = PlayGoal(name="dry", wanted={"weather": {}}, ends=({},), due=())
    plan = plan_of(TASKS[1:], "silent", "simulated", 1, 1, 7, play_goals=[goal])
    run = make_run(plan, tmp_path / "run")
    with refuses(UsageError, "not-given", "--goals"):
        Rejudged(run)
    again = Rejudged(run, [goal])
    assert not list(again.changes)
    with pytest.raises(UnknownNameError):
        _ = Rejudged(run, [replace(goal, name="wet")]).dialogues


def test_a_judged_run_is_written_and_read(tmp_path: Path) -> None:
    run = make_run(plan_of(TASKS, "flow", "simulated", 2, 1, 7), tmp_path / "run")
    again = Rejudged(run)
    write_run(again.dialogues, again.settings, run.tasks, tmp_path / "again")
    copy = read_run(tmp_path / "again")
    assert copy.summary == run.summary
    assert copy.settings == run.settings
