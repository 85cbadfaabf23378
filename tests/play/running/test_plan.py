"""Runs: what each agent comes to, and that runs are the same however they are carried out."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import Dialogue, Query, Selection, Utterance, encode
from dialoom.errors import UnknownNameError, UsageError
from dialoom.http.metering import WireLimits
from dialoom.http.settings import WireSettings
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.sim.core.grammar import speech
from dialoom.sim.policies.flow.persons import speech_of
from tests.make import refuses

TASKS = ("hotel_book", "trivia", "ride_change", "trip_directions")


def run(
    agent: str, *tasks: str, user: str = "simulated", goals: int = 4, trials: int = 2
) -> list[Dialogue]:
    plan = plan_of(tuple(map(pack.resolve, tasks)), agent, user, goals, trials, 5)
    source = plan.source()
    return [source(index) for index in range(plan.dialogues)]


def figures(dialogues: list[Dialogue]) -> dict[str, Any]:
    return summarise([verdict for each in dialogues if (verdict := played(each))])


@pytest.mark.parametrize(
    ("agent", "user", "adherence"),
    [
        ("oracle", "simulated", 100),
        ("flow", "simulated:scripted", 100),
        ("flow", "simulated", 97),  # it asks for a value again that it misheard
    ],
)
def test_who_follows_the_flow_reaches_every_goal(agent: str, user: str, adherence: int) -> None:
    dialogues = run(agent, *TASKS, user=user)
    summary = figures(dialogues)
    assert [row["task"] for row in summary["tasks"]] == list(TASKS)
    whole = summary["all"]
    assert whole["trials"] == len(dialogues) == 32
    assert (whole["reached"], whole["reported"], whole["success"]) == (100, 100, 100)
    assert whole["unasked"] == 0
    assert whole["adherence"] >= adherence
    assert whole["user_faults"] == 0
    assert whole["asked_twice"] == 0 or adherence < 100
    assert whole["pass_hat"] == {"1": 100, "2": 100}


def test_who_follows_the_flow_reaches_the_goals_of_german_tasks() -> None:
    files = sorted(Path(str(resources.files("dialoom").joinpath("tasks/de"))).glob("*.yaml"))
    whole = figures(run("flow", *map(str, files), goals=20, trials=1))["all"]
    assert whole["success"] >= 95
    assert whole["user_faults"] == 0


def test_unhappy_users_come_to_the_same_goals() -> None:
    happy = run("flow", *TASKS)
    dialogues = run("flow", *TASKS, user="simulated:unhappy")
    for one, other in zip(happy, dialogues, strict=True):
        assert one.scenario and other.scenario
        assert one.scenario.goal["effects"] == other.scenario.goal["effects"]
        assert (one.scenario.happy, other.scenario.happy) == (True, False)
    whole = figures(dialogues)["all"]
    assert whole["user_faults"] == 0
    assert whole["success"] >= 75
    assert whole["turns"] > figures(happy)["all"]["turns"]


@pytest.mark.parametrize("agent", ["oracle", "flow"])
def test_users_of_several_tasks(agent: str) -> None:
    dialogues = run(agent, *TASKS, user="simulated:multi")
    summary = figures(dialogues)
    assert [row["task"] for row in summary["tasks"]] == list(TASKS)
    assert (summary["all"]["success"], summary["all"]["user_faults"]) == (100, 0)
    assert summary["all"]["adherence"] >= 99
    for dialogue in dialogues:
        scenario = dialogue.scenario
        assert scenario and scenario.multi_task
        tasks = [capability.task for capability in scenario.capabilities]
        assert len(tasks) >= 2
        assert dialogue.id.startswith(tasks[0])
        assert set(scenario.goal["tasks"]) == set(tasks)
        assert {e.task for e in dialogue.events if isinstance(e, Selection)} == set(tasks)


def test_several_tasks_are_two_or_more_with_calls_of_their_own() -> None:
    one = pack.load("weather")
    with refuses(UsageError, "too-few", "--tasks"):
        plan_of((one,), "flow", "simulated:multi", 1, 1, 0)
    with refuses(UsageError, "twice", "weather"):
        plan_of((one, one), "flow", "simulated:multi", 1, 1, 0)


@pytest.mark.parametrize("manner", ["brief", "talkative"])
def test_how_much_users_say_changes_no_goal(manner: str) -> None:
    whole = figures(run("flow", *TASKS, user=f"simulated:{manner}"))["all"]
    assert (whole["success"], whole["user_faults"]) == (100, 0)


def test_who_does_nothing_reaches_what_needs_no_change() -> None:
    dialogues = run("silent", *TASKS)
    summary = figures(dialogues)
    for row in summary["tasks"]:
        group = [d for d in dialogues if d.id.startswith(row["task"])]
        still = [d for d in group if not (d.scenario and d.scenario.goal["effects"])]
        assert row["reached"] == pytest.approx(100 * len(still) / len(group))
    assert summary["silent"]["reached"] == summary["all"]["reached"]
    assert {d.extra["play"]["ended"] for d in dialogues} == {"silence"}


def test_the_trials_of_a_goal_differ_in_wording_alone() -> None:
    first, second = run("flow", "hotel_book", goals=1)
    assert first.scenario == second.scenario
    queries = [[e.constraints for e in d.events if isinstance(e, Query)] for d in (first, second)]
    assert queries[0] == queries[1]
    texts = [[e.text for e in d.events if isinstance(e, Utterance)] for d in (first, second)]
    assert texts[0] != texts[1]


def test_a_dialogue_depends_on_its_index_alone() -> None:
    plan = plan_of((pack.load("hotel_book"),), "flow", "simulated", 3, 2, 5)
    forth, back = plan.source(), plan.source()
    ahead = [encode(forth(index)) for index in range(6)]
    behind = [encode(back(index)) for index in reversed(range(6))]
    assert ahead == behind[::-1]


def test_who_is_not_there() -> None:
    tasks = (pack.load("weather"),)
    with refuses(UnknownNameError, "unknown-name", "agent"):
        plan_of(tasks, "butler", "simulated", 1, 1, 0)
    with refuses(UnknownNameError, "unknown-name", "happy"):
        plan_of(tasks, "flow", "simulated:hapy", 1, 1, 0)
    with refuses(UsageError, "conflict", "--user"):
        plan_of(tasks, "flow", "simulated:happy,unhappy", 1, 1, 0)
    with refuses(UsageError, "not-taken", ":fast"):
        plan_of(tasks, "flow:fast", "simulated", 1, 1, 0)


@pytest.mark.parametrize(
    ("limits", "option"),
    [
        (WireLimits(rate=5.0), "--rate"),
        (WireLimits(calls=5), "--max-calls"),
        (WireLimits(prices=(1.0, 1.0)), "--prices"),
        (WireLimits(settings={"agent": WireSettings()}), "--agent-settings"),
        (WireLimits(settings={"user": WireSettings()}), "--user-settings"),
    ],
)
def test_limits_need_a_participant_that_makes_requests(limits: WireLimits, option: str) -> None:
    task = pack.load("weather")
    with refuses(UsageError, "not-taken", option):
        plan_of((task,), "flow", "simulated", 1, 1, 0, limits=limits)
    user = "openai:small@http://localhost" if limits.settings else "simulated"
    agent = "flow" if "user" in limits.settings else "openai:small@http://localhost"
    plan_of((task,), agent, user, 1, 1, 0, limits=limits)


def test_dialogues_at_once_are_the_same() -> None:
    tasks = tuple(map(pack.load, TASKS))
    plan = plan_of(tasks, "flow", "simulated", 4, 1, 5)
    alone = [encode(each) for each in map(plan.source(), range(plan.dialogues))]
    speech.cache_clear()  # the threads build the grammars anew, all at the same time
    speech_of.cache_clear()
    source = plan_of(tasks, "flow", "simulated", 4, 1, 5, at_once=8).source()
    with ThreadPoolExecutor(8) as pool:
        together = [encode(each) for each in pool.map(source, range(plan.dialogues))]
    assert together == alone
