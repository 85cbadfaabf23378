"""Goals checked before anyone plays."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.formats.chat.tools import schemas_of
from dialoom.play.running.goal_check import check_goals
from dialoom.play.users.goals import PlayGoal
from dialoom.schema import pack
from dialoom.schema.services import to_task


@pytest.mark.parametrize("name", ["hotel_book", "ride_change", "trivia"])
def test_goals_of_the_pack_have_one_end(name: str) -> None:
    assert list(check_goals(pack.load(name), 7, 5)) == []


def test_a_goal_that_is_not_reached_is_found() -> None:
    goal = PlayGoal(
        name="mine",
        wanted={"hotel_book": {}},
        ends=({"bookings": {"added": [{"Name": "Xyzzy"}]}},),
        database="mine",
    )
    findings = list(check_goals(pack.load("hotel_book"), 7, 5, [goal]))
    assert [each.goal for each in findings] == ["mine"]
    assert "is not reached by the oracle" in findings[0].what


SEARCH = {"type": "function", "function": {"name": "search_boots", "parameters": {}}}


def test_a_task_that_no_agent_can_fail_is_found(tmp_path: Path) -> None:
    (task,) = (schemas_of([SEARCH], tmp_path) or {}).values()
    (finding,) = check_goals(to_task(task), 7, 3)
    assert (finding.goal, finding.severity) == ("any", "warning")
