"""A language model serves a language model over the whole wire, as servers speak it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom.dialogue import Query, Utterance
from dialoom.http import web
from dialoom.http.metering import read_limits
from dialoom.play.results.run import PlayRun, read_run
from dialoom.play.running.plan import PlanGoals, make_run, plan_of
from dialoom.play.users.chat import DONE
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from tests.play.running.served import Answer, Serve, serve

__all__ = ["serve"]  # the fixture

TASK: TaskSchema = pack.load("weather")
USAGE = {"prompt_tokens": 100, "completion_tokens": 10}
SEED = 2  # of a goal that has a forecast, and does not change
PLAN = plan_of((TASK,), "oracle", "simulated", 1, 1, SEED)
WANTED = PlanGoals(PLAN).goal(0).seat(0).goal["values"]
BUSY = {"error": {"message": "quota exceeded"}}


def arguments(day: str) -> str:
    return json.dumps({"City": WANTED["city"], "Day": day})


def pieces(*deltas: dict[str, Any]) -> bytes:
    chunks = [{"choices": [{"delta": delta}]} for delta in deltas]
    lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in (*chunks, {"usage": USAGE})]
    return "".join((*lines, "data: [DONE]\n\n")).encode()


def message(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"message": fields}], "usage": USAGE}


class Models:
    """Answers as two models: the agent thinks, calls twice at once, and tells what it found."""

    def __init__(self) -> None:
        self.failed = False
        self.asked: list[dict[str, Any]] = []

    def __call__(self, asked: int, request: dict[str, Any]) -> Answer:
        self.asked.append(request)
        return self.user(request) if request["model"] == "user" else self.agent(request)

    def user(self, request: dict[str, Any]) -> Answer:
        if len(request["messages"]) > 2:
            return 200, message(content=f"Thanks, bye. {DONE}")
        say = f"What will the weather be in {WANTED['city']} on {WANTED['day']}?"
        return 200, message(content=f"<think>I ask.</think>{say}<|im_end|>")

    def agent(self, request: dict[str, Any]) -> Answer:
        if not self.failed:
            self.failed = True
            return 429, BUSY
        last = request["messages"][-1]
        if last["role"] == "user":
            other = next(day for day in TASK.slots["day"].values if day != WANTED["day"])
            calls = [
                {"index": n, "id": f"c{n}", "function": {"name": "weather", "arguments": ""}}
                for n in range(2)
            ]
            deltas = [
                {"index": n, "function": {"arguments": arguments(day)}}
                for n, day in enumerate((WANTED["day"], other))
            ]
            return 200, pieces(
                {"reasoning_content": "Both "},
                {"reasoning_content": "days."},
                {"content": None, "tool_calls": calls},
                {"tool_calls": deltas},
            )
        (row,) = json.loads(request["messages"][-2]["content"])["items"]
        text = f"It will be {row['Weather']} and {row['TemperatureCelsius']} degrees."
        return 200, {"choices": [{"message": {"content": text}}]}  # no usage


@pytest.fixture
def models() -> Models:
    return Models()


@pytest.fixture
def run(serve: Serve, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PlayRun:
    monkeypatch.setattr(web, "WAITS", (0.0,))
    url = f"{serve(models).url}/v1"
    limits = read_limits(
        prices="1,10",
        agent_settings='query.api-version="1",key_header=api-key,temperature=null,max_tokens=9',
        user_settings="seed=5",
    )
    agent, user = f"openai:agent@{url}", f"openai:user@{url}"
    plan = plan_of((TASK,), agent, user, 1, 1, SEED, limits=limits)
    make_run(plan, tmp_path / "run")
    return read_run(tmp_path / "run")


def test_a_model_serves_a_model(run: PlayRun, models: Models) -> None:
    (entry,) = run.dialogues
    assert entry.played.passed
    queries = [event for event in entry.dialogue.events if isinstance(event, Query)]
    assert [query.extra.get("thought") for query in queries] == ["Both days.", None]
    texts = [event.text for event in entry.dialogue.events if isinstance(event, Utterance)]
    assert texts[0].endswith(f"on {WANTED['day']}?")
    assert texts[-1] == "Thanks, bye."
    agent = next(each for each in models.asked if each["model"] == "agent")
    user = next(each for each in models.asked if each["model"] == "user")
    assert (agent.get("temperature"), agent["max_tokens"]) == (None, 9)
    assert (user["temperature"], user["seed"]) == (0, 5)


def test_tokens_and_money_are_those_of_both_models(run: PlayRun) -> None:
    (entry,) = run.dialogues
    spent = entry.played.verdict["spent"]
    assert {side: figures["calls"] for side, figures in spent.items()} == {"agent": 3, "user": 2}
    assert (spent["agent"]["read"], spent["user"]["read"]) == (100, 200)
    assert spent["user"]["cost"] == pytest.approx((200 * 1 + 20 * 10) / 1_000_000)
    whole = run.summary["all"]["spent"]
    assert whole["cost"] == pytest.approx((300 * 1 + 30 * 10) / 1_000_000)
    assert (whole["calls"], whole["read"], whole["written"]) == (5, 300, 30)
    assert len(spent["agent"]["each"]) == 3
    assert whole["latency_p95"] <= max(spent["agent"]["each"])
