"""Goals checked before anyone plays."""

from __future__ import annotations

import pytest

from dialoom.play.running.goal_check import check_goals
from dialoom.play.users.goals import PlayGoal
from dialoom.schema import pack


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
    found = list(check_goals(pack.load("hotel_book"), 7, 5, [goal]))
    assert [each.goal for each in found] == ["mine"]
    assert "is not reached by the oracle" in found[0].what
