"""Dialogues of agents with people, run in the threads that they need.

    talks = Talks(tasks, seed)
    live = await talks.begin("hotel_book", 3, agent)
    await talks.say(live, "Do you have a room?")       # what happens in this turn
    await talks.judged(live)

Knowledge bases are used in the one thread that made them, and so are agents, which are none the
faster for more; those over the network are waited for in threads of their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Dialogue, Event, Utterance
from dialoom.play.agents.base import Agent
from dialoom.play.agents.chat import ChatAgents
from dialoom.play.agents.remote import WebHookAgents
from dialoom.play.running.goal_run import GoalRun
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.schema.task import TaskSchema

AT_ONCE = 64
"""Answers of agents over the network that are waited for at once."""

T = TypeVar("T")


class Talks:
    """Dialogues of agents with people about some tasks.

    Args:
        tasks: The tasks by id.
        seed: What databases and goals are drawn from.
    """

    def __init__(self, tasks: Mapping[str, TaskSchema], seed: int) -> None:
        self._goals = LiveGoals(tasks, seed)
        self._bases = ThreadPoolExecutor(1, "talks")
        self._network = ThreadPoolExecutor(AT_ONCE, "agent")

    def close(self) -> None:
        """Wait for what is under way."""
        self._network.shutdown()
        self._bases.shutdown()

    async def goal(self, task: str, number: int) -> GoalRun:
        """Return a goal of a task."""
        return await _run(self._bases, lambda: self._goals.goal(task, number))

    async def steady(self, task: str, number: int) -> int:
        """Return the number of the first goal from `number` that asks to give nothing up."""
        return await _run(self._bases, lambda: self._goals.steady(task, number))

    async def begin(self, task: str, number: int, agent: Agent) -> LiveDialogue:
        """Begin a dialogue of an agent with somebody who has a goal."""

        def begun() -> LiveDialogue:
            apart = self._of(agent) is not self._bases
            locked = (lambda use: self._bases.submit(use).result()) if apart else None
            return LiveDialogue(self._goals.goal(task, number), agent, locked)

        return await _run(self._bases, begun)

    async def again(
        self, task: str, number: int, agent: Agent, events: Sequence[Event]
    ) -> LiveDialogue | None:
        """Play recorded events to an agent again; None if it replies otherwise than then."""
        live = await self.begin(task, number, agent)
        for event in events:
            if isinstance(event, Utterance) and event.agent == USER:
                await self.say(live, event.text)
        return live if _untimed(live.events) == _untimed(events) else None

    async def say(self, live: LiveDialogue, text: str) -> Sequence[Event]:
        """Say something; return what happens in this turn, that first."""
        return await _run(self._of(live.agent), partial(live.say, text))

    async def judged(self, live: LiveDialogue) -> Dialogue:
        """Return a dialogue with what the database says of it."""
        return await _run(self._bases, live.judged)

    def _of(self, agent: Agent) -> ThreadPoolExecutor:
        """Return the threads in which an agent answers."""
        over_network = isinstance(agent, ChatAgents | WebHookAgents)
        return self._network if over_network else self._bases


async def _run(pool: ThreadPoolExecutor, use: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, use)


def _untimed(events: Sequence[Event]) -> list[Event]:
    return [replace(event, time=None) for event in events]
