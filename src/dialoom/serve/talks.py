"""Runs dialogues of agents with people in threads, for use from an event loop.

One thread makes and uses all knowledge bases and runs all local agents, which would not be faster
in several. Answers of agents over the network are awaited in other threads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from dialoom.dialogue import USER, Dialogue, Event, Utterance
from dialoom.errors import DialoomError
from dialoom.http.failure import NoAnswerError
from dialoom.play.agents.base import Agent
from dialoom.play.agents.chat import ChatAgents
from dialoom.play.agents.remote import WebHookAgents
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.users.goals import PlayGoal
from dialoom.schema.task import TaskSchema

log = logging.getLogger("dialoom.serve")

AT_ONCE = 64
"""The most agents over the network whose answers are awaited at the same time."""

T = TypeVar("T")


class TalkTurn(NamedTuple):
    """A turn of a dialogue: the user's utterance, the agent's events, and why it has no answer."""

    events: Sequence[Event]
    failure: str | None


class Talks:
    """Dialogues of agents with people about some tasks."""

    def __init__(
        self, tasks: Mapping[str, TaskSchema], seed: int, play_goals: Iterable[PlayGoal] = ()
    ) -> None:
        self._goals = LiveGoals(tasks, seed, play_goals)
        self._bases = ThreadPoolExecutor(1, "talks")
        self._network = ThreadPoolExecutor(AT_ONCE, "agent")

    def close(self) -> None:
        """Wait until all running answers are done, and end the threads."""
        self._network.shutdown()
        self._bases.shutdown()

    async def begin(self, task: str, number: int, agent: Agent) -> LiveDialogue:
        """Begin a dialogue of an agent with a person who has the goal with a number."""

        def begun() -> LiveDialogue:
            apart = self._of(agent) is not self._bases
            locked = (lambda use: self._bases.submit(use).result()) if apart else None
            return LiveDialogue(self._goals.goal(task, number), agent, locked)

        return await _run(self._bases, begun)

    async def again(
        self, task: str, number: int, agent: Agent, events: Sequence[Event]
    ) -> LiveDialogue | None:
        """Repeat a recorded dialogue with an agent; None if the agent replies differently now."""
        live = await self.begin(task, number, agent)
        for event in events:
            if isinstance(event, Utterance) and event.agent == USER:
                await _run(self._of(agent), partial(live.say, event.text))
        return live if _untimed(live.events) == _untimed(events) else None

    async def say(self, live: LiveDialogue, text: str) -> TalkTurn:
        """Say a text as the user; return the events of this turn, beginning with it."""
        before = len(live.events)
        try:
            await _run(self._of(live.agent), partial(live.say, text))
            failure = live.failure
        except NoAnswerError as error:
            failure = error.what
        except DialoomError as error:
            failure = str(error)
        except Exception as error:  # a bug of an agent is a failure of the agent
            log.exception("an agent fails")
            failure = f"{type(error).__name__}: {error}"
        if failure is not None:
            log.warning("an agent fails: %s", failure)
        return TalkTurn(tuple(live.events[before:]), failure)

    async def judged(self, live: LiveDialogue) -> Dialogue:
        """Return the dialogue with its outcome according to the database."""
        return await _run(self._bases, live.judged)

    def _of(self, agent: Agent) -> ThreadPoolExecutor:
        over_network = isinstance(agent, ChatAgents | WebHookAgents)
        return self._network if over_network else self._bases


async def _run(pool: ThreadPoolExecutor, use: Callable[[], T]) -> T:
    return await asyncio.get_running_loop().run_in_executor(pool, use)


def _untimed(events: Sequence[Event]) -> list[Event]:
    return [replace(event, time=None) for event in events]
