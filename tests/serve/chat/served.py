"""A served agent, and somebody who talks with it over its API."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from dialoom.collect.log.store import Store
from dialoom.dialogue import SYSTEM, Completion, Event, Utterance
from dialoom.play.agents.base import AGENTS
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from dialoom.serve.chat.app import create_chat_app
from dialoom.serve.chat.chats import Chats, begin_log
from dialoom.serve.chat.settings import ChatSettings, settings_of
from dialoom.serve.limits import Rate
from dialoom.serve.server import address, listen
from dialoom.sim.core.rng import seed_of
from tests.serve.page import PATIENCE
from tests.serve.served import running

FREE = Rate(1000.0, 1000.0)


@contextmanager
def served_chats(
    where: Path | str, settings: ChatSettings, rate: Rate = FREE
) -> Iterator[httpx.Client]:
    """Serve an agent in a thread; yield a client of its address."""
    with Store.open(where) as store, listen("127.0.0.1", 0) as listening:
        if settings_of(store, str(where)) is None:
            begin_log(store, settings)
        agent = AGENTS.made(settings.agent)
        chats = Chats(store, tuple(map(pack.load, settings.tasks)), settings, agent)
        base = address(listening)
        with (
            running(create_chat_app(chats, rate=rate), listening),
            httpx.Client(base_url=base, timeout=PATIENCE) as client,
        ):
            yield client
        chats.close()


def asked(client: httpx.Client, path: str, body: Any, status: int = 200) -> Any:
    """Return what the server answers to a body."""
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


def begin(client: httpx.Client, task: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = asked(client, "/api/chats", {"task": task}, 201)
    return found


def say(client: httpx.Client, chat: str, text: str, **more: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = asked(client, f"/api/chats/{chat}/say", {"text": text, **more})[
        "events"
    ]
    return found


def talk_to_the_end(client: httpx.Client, chat: dict[str, Any], seed: int) -> int:
    """Let a simulated user with the chat's goal talk; return the turns it took."""
    ready = ReadyTask(pack.load(chat["task"]), seed)
    goals = (GoalRun((ready,), number, seed_of(seed, number)) for number in range(20))
    goal = next(goal for goal in goals if goal.seat(0).instructions == chat["goal"])
    user = SimulatedUsers().join(goal.seat(0))
    events: list[Event] = []
    for turn in range(30):
        (said,) = user.reply(events)
        if isinstance(said, Completion):
            return turn
        assert isinstance(said, Utterance)
        told = say(client, chat["chat"], said.text)
        heard = [each["text"] for each in told if each["from"] == "agent"]
        events += [said, *(Utterance(agent=SYSTEM, text=text) for text in heard)]
    raise AssertionError("the user found no end")
