"""Goals with rows of their own and with hand-overs: what is reached, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import SchemaError
from dialoom.play.results.run import PlayRun
from dialoom.play.running.plan import make_run, plan_of
from dialoom.play.running.rejudge import Rejudged
from dialoom.play.users.goals import PlayGoal, read_goals
from tests.make import order_cancel, refuses
from tests.play.users.goals import GOALS

TASK = order_cancel()


def goals(folder: Path, text: str = GOALS) -> tuple[PlayGoal, ...]:
    file = folder / "goals.yaml"
    file.write_text(text)
    return tuple(read_goals(file, {TASK.id: TASK}))


def run(folder: Path, agent: Any, given: tuple[PlayGoal, ...], user: str = "simulated") -> PlayRun:
    return make_run(plan_of((TASK,), agent, user, 1, 2, 5, given), folder)


def test_each_trial_begins_with_the_rows_of_its_goal(tmp_path: Path) -> None:
    played = run(tmp_path / "run", "flow", goals(tmp_path))
    assert played.success == 100
    for each in played.dialogues[:2]:
        changed = each.played.wanted["effects"]["cards"]["changed"]
        assert changed == [[{"Card": "G1", "Balance": 0}, {"Card": "G1", "Balance": 5}]]
    assert (
        played.dialogues[0].played.wanted["state"]["orders"]["added"][0]["Ordered"] == "2026-11-25"
    )


def test_a_hand_over_is_a_right_end_that_has_to_be_reached(tmp_path: Path) -> None:
    targets = goals(tmp_path)
    late = run(tmp_path / "flow", "flow", targets).dialogues[2:]
    assert all(
        each.played.wanted["effects"] == {"hand-over": {"added": [{"to": "person"}]}}
        for each in late
    )
    silent = run(tmp_path / "silent", "silent", targets)
    assert not any(each.played.passed for each in silent.dialogues)


def test_a_hand_over_that_nobody_wants_is_no_success(tmp_path: Path) -> None:
    from dialoom.play.functions import FunctionAgents

    lazy = FunctionAgents(lambda message: TASK.flow.nodes["transfer"].texts[0])
    played = run(tmp_path / "run", lazy, goals(tmp_path))
    assert [each.played.passed for each in played.dialogues] == [False, False, True, True]
    assert [each.played.verdict.get("unasked", 0) for each in played.dialogues] == [1, 1, 0, 0]


def test_a_recorded_run_keeps_its_rows(tmp_path: Path) -> None:
    targets = goals(tmp_path)
    first = run(tmp_path / "run", "flow", targets)
    assert list(Rejudged(first, targets).changes) == []
    again = run(tmp_path / "again", "flow", (), f"replay:{tmp_path / 'run'}")
    assert again.success == 100


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cards: {", "coupons: {"),
        ("removed: [{Card: G2}]", "emptied: [{Card: G2}]"),
        ("removed: [{Card: G2}]", "removed: 3"),
        ("removed: [{Card: G2}]", "removed: [3]"),
        ("removed: [{Card: G2}]", "removed: [{Crd: G2}]"),
        ("removed: [{Card: G2}]", "removed: [{Card: G9}]"),
        ("[[{Card: G1}, {Balance: 0}]]", "[{Card: G1}]"),
        ("Balance: 0", "Balance: much"),
        ("hands_over: true", "hands_over: perhaps"),
    ],
)
def test_a_state_that_cannot_be_is_refused(tmp_path: Path, old: str, new: str) -> None:
    assert old in GOALS
    with refuses(SchemaError, "bad-task", "goals.yaml"):
        goals(tmp_path, GOALS.replace(old, new))


def test_a_hand_over_that_the_oracle_does_not_come_to_is_refused(tmp_path: Path) -> None:
    targets = goals(tmp_path, GOALS.replace("{order: O2", "{order: O1"))
    with refuses(SchemaError, "bad-goal", "too-late"):
        run(tmp_path / "run", "flow", targets)
