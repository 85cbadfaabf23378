"""Instructions in words lead to the end that the verdict judges by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import dialoom
from dialoom.play.functions import FunctionUsers
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.goals import read_goals
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of
from tests.make import order_cancel
from tests.play.users.goals import GOALS
from tests.play.users.literal import LiteralUser

TASK = order_cancel()
TASKS = ("hotel_book", "restaurant_book", "plane_search", "ride_change", "weather", "bank_balance")


def literal(name: str) -> type:
    class Literal(LiteralUser):
        def __init__(self) -> None:
            super().__init__(pack.load(name))

    return Literal


@pytest.mark.parametrize("name", TASKS)
def test_who_follows_them_to_the_letter_reaches_every_goal(name: str) -> None:
    run = dialoom.play("flow", user=literal(name), tasks=name, n=20, seed=7)
    assert run.success == 100 if name != "restaurant_book" else run.success in (95, 100)


def test_they_have_every_change_of_mind() -> None:
    ready = ReadyTask(pack.load("hotel_book"), 7)
    goal = GoalRun((ready,), 0, seed_of(7, 0))
    changes: list[dict[str, Any]] = goal.judged(
        goal.seat(0), 0, (), "completed", {}, happy=None
    ).scenario.goal["changes"]  # type: ignore[union-attr]
    script = goal.seat(0).instructions
    pairs = [(slot, value) for change in changes for slot, value in change.items()]
    assert pairs
    for slot, value in pairs:
        assert ready.program.words.forms(slot, value)[0].text in script


def test_simulated_users_are_told_what_they_were() -> None:
    ready = ReadyTask(pack.load("hotel_book"), 7)
    seat = GoalRun((ready,), 0, seed_of(7, 0)).seat(0)
    assert seat.briefing.splitlines()[1:] == [
        each for each in seat.briefing.splitlines() if each[0] == "-"
    ]
    assert not seat.briefed


def test_several_tasks_are_told_one_after_the_other() -> None:
    ready = [ReadyTask(pack.load(name), 7) for name in ("weather", "trip_directions")]
    script = GoalRun(ready, 0, seed_of(7, 0)).seat(0).instructions
    assert all(task.program.schema.texts["user"] in script for task in ready)


def test_own_instructions_take_their_place_and_state_the_day(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(GOALS.replace("hands_over: true", "says: You are in a hurry."))
    prompts: list[str] = []

    def user(history: list[dict[str, Any]]) -> str | None:
        prompts.append(history[0]["content"])
        return None

    goals = tuple(read_goals(file, {TASK.id: TASK}))
    for number, goal in enumerate(goals):
        run = GoalRun((ReadyTask(TASK, 5),), number, seed_of(5, number), goal)
        FunctionUsers(user).join(run.seat(0)).reply(())
    assert "Today is Friday, 2026-11-27." in prompts[0]
    assert "the order: O4" in prompts[0]
    assert "Today is Friday, 2026-11-27. You are in a hurry." in prompts[1]
    assert "the order" not in prompts[1]
