"""Tasks whose calls are made by an MCP server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import Dialogue, Result
from dialoom.errors import SchemaError, UnknownNameError, UsageError
from dialoom.play.environments.base import EnvironmentFailureError
from dialoom.play.environments.opening import with_tools
from dialoom.play.judging.verdict import NO_RESULT
from dialoom.play.results.failure import failure_of
from dialoom.play.results.run import read_run
from dialoom.play.results.summary import played
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.running.plan import make_run, plan_of
from dialoom.play.running.rejudge import Rejudged
from dialoom.play.tools.task_tools import TaskTools
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from tests.make import refuses
from tests.play.environments import shop_server
from tests.play.environments.lamp_shop import GOALS, HEAD, LAMP, NOTE, STATE, Scripted, task_of

CALLS = "  writes: [cancel, note]"


DESK = ("cancel", {"order": "o2", "items": ["desk"]})
LOOK = ("find_order", {"order": "o1"})


def trial(task: TaskSchema, number: int, *calls: tuple[str, dict[str, Any]]) -> Dialogue:
    goal = GoalRun((ReadyTask(task, 1),), number, b"")
    return goal.dialogue(Scripted(*calls), SimulatedUsers(), 0)


def test_published_tools_are_the_calls_of_the_task() -> None:
    task, _ = with_tools(task_of())
    assert task.calls.keys() == {"find_order", "cancel", "note"}  # not those that reset and dump
    assert [call.writes for call in task.calls.values()] == [False, True, True]
    assert task.calls["cancel"].required == ("order", "items")


@pytest.mark.parametrize("keys", [STATE, CALLS], ids=["state tool", "expected calls"])
def test_the_end_is_judged_in_a_fresh_environment(keys: str) -> None:
    goal = GoalRun((ReadyTask(task_of(keys), 1),), 0, b"")
    tried: list[tuple[list[tuple[str, dict[str, Any]]], bool]] = [
        ([LOOK, LAMP], True),
        ([LAMP, LOOK, LOOK], True),
        ([LOOK, LAMP, NOTE], False),
        ([LOOK, ("cancel", {"order": "o1", "items": ["rug"]})], False),
        ([LOOK], False),
        ([], False),
    ]
    for calls, reached in tried:
        dialogue = goal.dialogue(Scripted(*calls), SimulatedUsers(), 0)
        assert dialogue.extra["play"]["reached"] is reached, calls


def test_without_any_hint_all_expected_calls_have_to_be_made() -> None:
    task, environment = with_tools(task_of("  writes: []"))
    assert environment is not None and not any(c.writes for c in environment.tools.values())
    assert trial(task, 0, LAMP, LOOK, NOTE).outcome == "reached"
    assert trial(task, 0, LAMP).outcome == "missed"


def test_a_refused_call_is_reported_to_the_agent_and_changes_nothing() -> None:
    dialogue = trial(task_of(), 1, DESK)
    (result,) = (e for e in dialogue.events if isinstance(e, Result))
    assert "order o2 is sent" in result.extra["error"]
    assert dialogue.outcome == "reached"
    assert trial(task_of(), 1).outcome == "missed"  # nobody said that it is sent


def test_arguments_are_checked_before_the_server_sees_them() -> None:
    dialogue = trial(task_of(), 0, ("cancel", {"order": 7, "itmes": ["lamp"]}))
    (result,) = (e for e in dialogue.events if isinstance(e, Result))
    assert "items: is required" in result.extra["error"]
    assert "order: '7'" not in result.extra["error"] and "order: 7" in result.extra["error"]


def test_a_server_that_dies_leaves_no_result() -> None:
    dialogue = trial(task_of(fault="dies"), 1, DESK)
    judgement = played(dialogue)
    assert dialogue.outcome == NO_RESULT and judgement is not None
    assert failure_of(judgement) == "no result"
    failure = judgement.verdict["failure"]
    assert failure["side"] == "environment" and "the shop burns" in failure["what"]


def test_a_server_that_dies_before_the_dialogue_leaves_no_result() -> None:
    dialogue = trial(task_of(fault="dies"), 0, LOOK)  # in the expected calls
    assert dialogue.outcome == NO_RESULT and dialogue.events == ()


def test_a_server_that_cannot_be_started_ends_the_run() -> None:
    task = read_text(HEAD.format(command="no-such-program", keys=STATE) + GOALS)
    with refuses(EnvironmentFailureError, "no-answer", "no-such-program"):
        plan_of((task,), "silent", "simulated", 1, 1, 1)
    with refuses(EnvironmentFailureError, "no-answer", "the shop is closed") as raised:
        with_tools(task_of(fault="ends"))
    assert raised.value.final


def test_a_task_cannot_name_tools_that_are_not_there() -> None:
    with refuses(UnknownNameError, "unknown-name", "dumb"):
        with_tools(task_of("  state: dumb"))


@pytest.mark.parametrize("keys", ["  state: {name: find_order, arguments: {order: o1}}", CALLS])
def test_a_hand_over_is_judged_whatever_its_words(keys: str) -> None:
    goals = "goals: [{id: a, says: Help., calls: [{name: note, arguments: {text: a person}}]}]"
    task = task_of(f"{keys}\n  hands_over: [note]", goals)
    assert trial(task, 0, NOTE).outcome == "reached"
    assert trial(task, 0, NOTE, LAMP).outcome == "missed"
    assert trial(task, 0).outcome == "missed"


def test_a_state_tool_may_have_arguments_and_is_then_published() -> None:
    keys = "  reset: start_over\n  state: {name: find_order, arguments: {order: o1}}"
    task, _ = with_tools(task_of(keys))
    assert "find_order" in task.calls
    assert trial(task, 0, LAMP, NOTE).outcome == "reached"  # notes are no part of this state
    assert trial(task, 0, NOTE).outcome == "missed"


def test_goals_that_cannot_be_reached_are_named() -> None:
    goals = GOALS.replace("items: [lamp]", "items: [lamp], reason: 3").replace("o1", "o2")
    with refuses(SchemaError, "bad-goal", "lamp", "reason"):
        trial(task_of(goals=goals), 0)
    with refuses(SchemaError, "bad-goal"):
        trial(task_of(goals="goals: [{id: a, says: Hello.}]"), 0)
    with refuses(SchemaError, "no-flow", "--goals"):
        trial(task_of(goals=""), 0)


def test_a_run_is_played_and_judged_again(tmp_path: Path) -> None:
    plan = plan_of((task_of(),), "silent", "simulated", 9, 2, 1)
    assert plan.dialogues == 4
    run = make_run(plan, tmp_path / "run")
    assert run.summary["all"]["reached"] == 50
    assert run.summary["all"]["adherence"] is None
    assert run.tasks["shop"].calls.keys() == {"find_order", "cancel", "note"}
    assert list(Rejudged(read_run(tmp_path / "run")).changes) == []


def test_a_person_is_served_in_the_environment() -> None:
    live = LiveDialogue(LiveGoals({"shop": task_of()}, 1).goal("shop", 0), Scripted(LOOK, LAMP))
    live.say("Please cancel my lamp.")
    assert live.changed == {"orders": {"changed": [[ORDER, {**ORDER, "items": ["rug"]}]]}}
    assert live.judged().outcome == "reached"


ORDER = shop_server.first()["orders"]["o1"]


def test_tools_are_offered_and_their_user_is_met() -> None:
    tools = TaskTools((task_of(),), 1)
    assert tools.call("dialoom_meet", {"task": "shop", "goal": 1})["user"].startswith("Please")
    assert tools.call("cancel", dict(LAMP[1]))["items"] == [{"order": "o1", "status": "pending"}]
    assert tools.call("dialoom_say", {"text": "Anything else?"}) == {"user": "Yes."}
    assert tools.call("dialoom_say", {"text": "Goodbye."}) == {"left": True}
    assert tools.call("dialoom_judge", {})["success"]
    with refuses(UsageError, "bad-call"):
        tools.call("cancel", dict(DESK[1]))
    tools.close()
