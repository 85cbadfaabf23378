"""Runs and goals in tau2-bench's layouts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import Constraint
from dialoom.errors import FormatError
from dialoom.play.results.run import PlayRun
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.plan import make_run, plan_of
from dialoom.play.tau2 import results
from dialoom.play.tau2_tasks import given_goals, read_tasks
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses

TASKS = {name: pack.load(name) for name in ("hotel_book", "bank_balance")}


def run_of(folder: Path, agent: str = "flow") -> PlayRun:
    return make_run(plan_of(tuple(TASKS.values()), agent, "simulated", 2, 2, 5), folder / agent)


def written(folder: Path, value: Any) -> Path:
    file = folder / "tasks.json"
    file.write_text(json.dumps(value))
    return file


def test_a_run_is_written_and_its_tasks_are_played(tmp_path: Path) -> None:
    content, lost = results(run_of(tmp_path), TASKS)
    assert [task["id"] for task in content["tasks"]] == [
        *("hotel_book-1", "hotel_book-2", "bank_balance-1", "bank_balance-2")
    ]
    first = content["simulations"][0]
    assert (first["task_id"], first["trial"], first["termination_reason"]) == (
        *("hotel_book-1", 0, "user_stop"),
    )
    assert first["reward_info"]["reward"] == 1
    roles = {message["role"] for message in first["messages"]}
    assert roles == {"user", "assistant", "tool"}
    assert set(lost) == {"annotated utterances", "further questions of users"}
    goals = given_goals(written(tmp_path, content), TASKS, 5)
    plan = plan_of(tuple(TASKS.values()), "flow", "simulated", 9, 1, 5, goals)
    source = plan.source()
    again = [each for n in range(plan.dialogues) if (each := played(source(n)))]
    assert summarise(again)["all"]["success"] == 100


def test_of_several_values_the_last_is_the_goals(tmp_path: Path) -> None:
    requests = [{"City": city, "Day": "Sunday"} for city in ("Velmora", "Kestrel Bay")]
    base = Simulator(pack.load("weather"), 5).base
    calls = [[Constraint(k, "equal", (v,)) for k, v in each.items()] for each in requests]
    degrees = [str(base.call("weather", call).items[0]["TemperatureCelsius"]) for call in calls]
    task = {
        "id": "a",
        "user_scenario": {"instructions": {"domain": "weather", "task_instructions": ""}},
        "evaluation_criteria": {
            "actions": [{"name": "weather", "arguments": each} for each in requests],
            "communicate_info": [*degrees, "a coat"],
        },
    }
    (goal,) = given_goals(written(tmp_path, [task]), {"weather": pack.load("weather")}, 5)
    assert goal.wanted == {"weather": {"city": "Kestrel Bay", "day": "Sunday"}}
    assert degrees[0] != degrees[1]
    assert [each.value for each in goal.due or ()] == [degrees[1], "a coat"]


def test_a_goal_that_no_trial_reached_has_no_actions(tmp_path: Path) -> None:
    content, lost = results(run_of(tmp_path, "silent"), TASKS)
    assert lost["actions of goals that no trial reached"] == 4
    assert content["tasks"][0]["evaluation_criteria"]["actions"] is None
    assert content["simulations"][0]["termination_reason"] == "too_many_errors"


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (
            {"user_scenario": {"instructions": {"domain": "zoo", "task_instructions": ""}}},
            ("no-goals", "zoo"),
        ),
        ({"initial_state": {"a": 1}}, ("no-goals", "initial state")),
        (
            {"evaluation_criteria": {"actions": [{"name": "fly", "arguments": {}}]}},
            ("no-goals", "fly"),
        ),
        ({"evaluation_criteria": 3}, ("no-goals", "1", "Expected")),
    ],
)
def test_what_is_no_goal(tmp_path: Path, change: dict[str, Any], what: tuple[str, ...]) -> None:
    case = {"domain": "hotel_book", "task_instructions": "Book a room."}
    task = {"id": "a", "user_scenario": {"instructions": case}, "evaluation_criteria": {}, **change}
    with refuses(FormatError, *what):
        given_goals(written(tmp_path, [task]), TASKS, 5)
    with refuses(FormatError, "other-format", "tau2-bench"):
        read_tasks(written(tmp_path, 3), TASKS, 5)
