"""Checks goals before they are played: each can be reached, and always with the same end.

    for finding in check_goals(task, seed=7, number=20):
        print(finding.task, finding.goal, finding.what)

The end of a goal (the changes of the database) is what the oracle reaches with a plain user. With
unhappy, brief and talkative users it must reach the same end, or one that the goal lists. No call
may write a value for a slot that the goal never had; other columns are filled by the database.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dialoom.dialogue.annotation import Struct
from dialoom.errors import SchemaError
from dialoom.play.judging.faults import plain_value, wanted_values
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.goals import PlayGoal
from dialoom.play.users.simulated import SCRIPTED, SimulatedUsers
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import seed_of

KINDS = ("unhappy", "brief", "talkative")
"""The kinds of users with whom the end must be the same as with plain ones."""

GOALS = 20


class GoalFinding(Struct, frozen=True):
    """A problem of a goal of a task; one of severity `warning` keeps nobody from playing it."""

    task: str
    goal: str
    what: str
    severity: str = "error"


NOTHING = "no agent can fail: nothing changes, and no value of a result is needed"


def check_goals(
    task: TaskSchema, seed: int, number: int, play_goals: Iterable[PlayGoal] = ()
) -> Iterator[GoalFinding]:
    """Yield the faults of a task's goals: drawn ones, or `play_goals`."""
    ready = ReadyTask(task, seed)
    goals: list[PlayGoal | None] = [*play_goals] or [None] * number
    empty = 0
    for place, goal in enumerate(goals):
        run = GoalRun((ready,), place, seed_of(seed, place), goal)
        wrong = list(_wrong(run))
        yield from (GoalFinding(task.id, run.name, what) for what in wrong)
        empty += not wrong and {} in run.target.ends and not run.target.due
    if empty == len(goals):
        yield GoalFinding(task.id, "any", NOTHING, "warning")


def _wrong(run: GoalRun) -> Iterator[str]:
    try:
        target = run.target
        _, goal = run.solve(SimulatedUsers(SCRIPTED), 0)
    except SchemaError as error:
        yield str(error)
        return
    for effects in target.ends:
        yield from _strange(run, goal, effects)
    for kind in KINDS:
        try:
            other, _ = run.solve(SimulatedUsers(f"{kind},{SCRIPTED}"), 1)
        except SchemaError as error:
            yield f"with {kind} users: {error}"
            continue
        if other.effects not in target.ends:
            yield f"with {kind} users the end is another one: {other.effects}"


def _strange(run: GoalRun, goal: Mapping[str, Any], effects: Mapping[str, Any]) -> Iterator[str]:
    program, values = run.tasks[0].program, wanted_values(goal)
    choices = {setting.slot for step in program.steps.values() for setting in step.sets}
    for name, changes in effects.items():
        calls = (call for call in program.schema.calls.values() if call.table == name)
        slots = {each.name: each.slot for call in calls if call.writes for each in call.inputs}
        rows = [*changes.get("added", ())]
        for before, after in changes.get("changed", ()):
            rows.append({key: cell for key, cell in after.items() if before.get(key) != cell})
        for row in rows:
            for column, value in row.items():
                slot = slots.get(column) or ""
                free = value is None or slot in choices  # set by a branch of the flow
                if slot in values and not free and plain_value(value) not in values[slot]:
                    yield f"{name} gets {column} {value!r}, which the goal never had as {slot}"
