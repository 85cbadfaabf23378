"""A goal's databases during a dialogue."""

from __future__ import annotations

import pytest

from dialoom.dialogue import Constraint
from dialoom.errors import UnknownNameError, UsageError
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of
from tests.make import refuses


def test_a_call_that_the_task_does_not_publish_is_not_made() -> None:
    goal = GoalRun((ReadyTask(pack.load("hotel_book"), 7),), 0, seed_of(7, 0))
    arguments = {
        "Name": "Nowhere",
        "CustomerName": "Ada Quill",
        "StartDate": "2021-05-09",
        "EndDate": "2021-05-03",
        "RequestType": "Book",
    }
    request = tuple(Constraint(name, "equal", (value,)) for name, value in arguments.items())
    with goal.opened(goal.seat(0)) as bases:
        with refuses(UsageError, "bad-call", "Name", "Nowhere"):
            bases.call("hotel_book", request)
        with pytest.raises(UnknownNameError):
            bases.call("hotel_bok", request)
        assert bases.changes() == {}
