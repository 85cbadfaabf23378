"""Tasks of tau-bench and tau2-bench as goals in somebody's environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.errors import FormatError, LeftOutWarning
from dialoom.play.tau2_tasks import HeldTasks, given_goals, read_tasks
from dialoom.play.users.goals import PlayGoal
from tests.make import refuses
from tests.play.environments.lamp_shop import LAMP, NOTE, STATE, Scripted, task_of

SHOP = {"shop": task_of(STATE, goals="")}

CANCEL = {"name": "cancel", "arguments": {"order": "o1", "items": ["lamp"]}}
LATE = {"name": "cancel", "arguments": {"order": "o2", "items": ["desk"]}}
LOST = {"name": "find_order", "arguments": {"order": "o9"}}


def task(name: str, *actions: dict[str, Any], domain: str = "shop", **more: Any) -> dict[str, Any]:
    script = {
        "domain": domain,
        "task_instructions": "You are brief.",
        "reason_for_call": f"Reason {name}.",
        "known_info": None,
    }
    criteria = {"actions": list(actions), **more.pop("criteria", {})}
    scenario = {"persona": more.pop("persona", None), "instructions": script}
    return {"id": name, "user_scenario": scenario, "evaluation_criteria": criteria, **more}


def read(folder: Path, value: Any) -> HeldTasks:
    file = folder / "tasks.json"
    file.write_text(json.dumps(value))
    return read_tasks(file, SHOP, 1)


def test_tasks_are_held_or_skipped_one_by_one(tmp_path: Path) -> None:
    words = {"nl_assertions": ["The agent is kind."], "communicate_info": ["rug"]}
    tasks = [
        task("0", LOST, CANCEL, criteria=words, persona="Ann"),
        task("1", LATE),
        task("2", {"name": "fly", "arguments": {}}),
        task("3", CANCEL, domain="zoo"),
        task("4", CANCEL, initial_state={"initialization_data": {"a": 1}}),
        task("5", CANCEL, initial_state={"initialization_data": None}),
        task("6", CANCEL, criteria={"env_assertions": [{}]}),
        task("7", {**CANCEL, "requestor": "user"}),
        task("8", criteria={"actions": None, "nl_assertions": ["Fine."]}),
        {"id": "9"},
    ]
    outcome = read(tmp_path, tasks)
    assert [goal.name for goal in outcome.goals] == ["0", "5"]
    first = outcome.goals[0]
    assert first.says == "Ann\nReason 0.\nYou are brief."
    assert [each.value for each in first.due or ()] == ["rug"]
    assert first.ends[0].keys() == {"orders"}
    assert [each.name for each in outcome.skipped] == ["1", "2", "3", "4", "6", "7", "8", "task 10"]
    assert "o2 is sent" in outcome.skipped[0].what
    assert sum(outcome.left_out.values()) == 1
    assert len(list(outcome.notes())) == 9


def test_goals_are_played_and_what_is_skipped_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "tasks.json"
    file.write_text(json.dumps({"tasks": [task("0", CANCEL), task("1", LATE)]}))
    with pytest.warns(LeftOutWarning, match="1 of 2 tasks are skipped"):
        (goal,) = given_goals(file, SHOP, 1)
    assert isinstance(goal, PlayGoal)
    file.write_text(json.dumps([task("1", LATE)]))
    with refuses(FormatError, "no-goals"):
        given_goals(file, SHOP, 1)


def test_a_file_of_goals_has_some_and_each_once(tmp_path: Path) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text("task: shop\ngoals: []\n")
    with refuses(FormatError, "no-goals", str(file)):
        given_goals(file, SHOP, 1)
    file.write_text("task: shop\ngoals: [{id: q}, {id: q}]\n")
    with refuses(FormatError, "twice", str(file), "shop", "'q'"):
        given_goals(file, SHOP, 1)


def test_tasks_and_results_of_tau_bench_are_read(tmp_path: Path) -> None:
    own = {
        "user_id": "ada",
        "instruction": "You are Ada.",
        "actions": [{"name": "cancel", "kwargs": CANCEL["arguments"]}],
        "outputs": ["rug"],
    }
    (goal,) = read(tmp_path, [own]).goals
    result = {"task_id": 4, "trial": 0, "reward": 1.0, "info": {"task": own}, "traj": []}
    (again,) = read(tmp_path, [result, {**result, "trial": 1}]).goals
    assert (goal.says, goal.ends, goal.due) == (again.says, again.ends, again.due)
    assert (goal.name, again.name) == ("1", "4")
    assert goal.ends[0]["orders"]["changed"][0][1]["items"] == ["rug"]


def test_a_goal_is_reached_by_its_own_calls_alone(tmp_path: Path) -> None:
    from dialoom.play.running.goal_run import GoalRun, ReadyTask
    from dialoom.play.users.simulated import SimulatedUsers

    (goal,) = read(tmp_path, [task("0", LOST, CANCEL)]).goals
    run = GoalRun((ReadyTask(SHOP["shop"], 1),), 0, b"", goal)
    for calls, outcome in (((LAMP,), "reached"), ((LAMP, NOTE), "missed"), ((), "missed")):
        assert run.dialogue(Scripted(*calls), SimulatedUsers(), 0).outcome == outcome
