"""A served bot, and somebody who talks with it over its API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from msgspec.structs import replace

from dialoom.dialogue import SYSTEM, Completion, Event, Utterance
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from dialoom.serve.chat.settings import ChatSettings, study_of
from dialoom.serve.limits import Rate
from dialoom.sim.core.rng import seed_of
from tests.serve.page import PATIENCE
from tests.serve.served import FREE, served

MANY = Rate(1000.0, 1000.0)


@contextmanager
def served_chats(
    where: Path | str, settings: ChatSettings, rate: Rate = MANY
) -> Iterator[httpx.Client]:
    """Serve a bot in a thread; yield a client of its address."""
    limits = replace(FREE, talks=rate)
    with (
        served(where, study_of(settings), limits) as study,
        httpx.Client(base_url=study.base, timeout=PATIENCE) as client,
    ):
        yield client


def asked(client: httpx.Client, path: str, body: Any, status: int = 200) -> Any:
    """Return what the server answers to a body."""
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def begin(client: httpx.Client, task: str | None = None) -> dict[str, Any]:
    chat: dict[str, Any] = asked(client, "/api/chats", {"task": task}, 201)
    return chat


def say(client: httpx.Client, chat: str, text: str, **more: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = asked(client, f"/api/chats/{chat}/say", {"text": text, **more})[
        "events"
    ]
    return events


def talk_to_the_end(client: httpx.Client, chat: dict[str, Any], seed: int) -> int:
    """Let a simulated user with the chat's goal talk; return the turns it took."""
    ready = ReadyTask(pack.load(chat["task"]), seed)
    goals = (GoalRun((ready,), number, seed_of(seed, number)) for number in range(20))
    goal = next(goal for goal in goals if goal.seat(0).instructions == chat["goal"])
    user = SimulatedUsers().join(goal.seat(0))
    events: list[Event] = []
    for turn in range(30):
        (reply,) = user.reply(events)
        if isinstance(reply, Completion):
            return turn
        assert isinstance(reply, Utterance)
        lines = say(client, chat["chat"], reply.text)
        answers = [each["text"] for each in lines if each["from"] == "agent"]
        events += [reply, *(Utterance(agent=SYSTEM, text=text) for text in answers)]
    raise AssertionError("the user found no end")
