"""Language models as agent and user of a task whose calls are made by an MCP server."""

from __future__ import annotations

import json
from typing import Any

import httpx

from dialoom.dialogue import Result
from dialoom.errors import SchemaError, UsageError
from dialoom.play.agents.chat import ChatAgents
from dialoom.play.agents.flow import FlowFollowing
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.running.plan import plan_of
from dialoom.play.users.chat import DONE, ChatUsers
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from tests.make import refuses
from tests.play.environments.lamp_shop import LAMP, task_of


class Model:
    """A server of chat completions that gives some answers."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.asked: list[dict[str, Any]] = []
        self._answers = list(answers)

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(json.loads(request.content))
        return httpx.Response(200, json={"choices": [{"message": self._answers.pop(0)}]})

    @property
    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self.handle)


def calls(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"content": None, "tool_calls": [{"id": name, "type": "function", "function": function}]}


def test_a_model_serves_a_model_with_the_tools_of_the_server() -> None:
    agent, user = ChatAgents("a@http://model.test/v1"), ChatUsers("u@http://model.test/v1")
    wrong = calls("cancel", {"order": "o1"})
    serving = Model(wrong, calls(*LAMP), {"content": "The lamp is cancelled."})
    wishing = Model({"content": "Cancel my lamp."}, {"content": f"Thanks. {DONE}"})
    agent.client.web.transport = serving.transport
    user._client.web.transport = wishing.transport
    dialogue = GoalRun((ReadyTask(task_of(), 1),), 0, b"").dialogue(agent, user, 0)
    assert dialogue.outcome == "reached"
    first = serving.asked[0]
    tools = {each["function"]["name"]: each["function"] for each in first["tools"]}
    assert tools.keys() == {"find_order", "cancel", "note"}
    assert tools["cancel"]["parameters"]["properties"]["items"]["type"] == "array"
    assert "Cancel only orders that are pending." in first["messages"][0]["content"]
    assert "You want to cancel the lamp" in wishing.asked[0]["messages"][0]["content"]
    refused, result = (e for e in dialogue.events if isinstance(e, Result))
    assert "items: is required" in refused.extra["error"] and result.items


def test_agents_that_follow_a_flow_need_one() -> None:
    goal = GoalRun((ReadyTask(task_of(), 1),), 0, b"")
    with refuses(SchemaError, "no-flow"):
        goal.dialogue(FlowFollowing(), SimulatedUsers(), 0)


def test_goals_of_tasks_are_not_mixed_with_drawn_ones() -> None:
    with refuses(UsageError, "no-goals", "weather"):
        plan_of((task_of(), pack.load("weather")), "silent", "simulated", 1, 1, 1)
