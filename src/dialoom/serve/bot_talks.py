"""Runs the bots that people of a study talk with and rate (`kinds/bot.py`).

A bot's answers go through the hub, so that they are on the disk before a page shows them. After a
restart the bot is given the earlier utterances again. If it replies differently, or fails, the talk
ends, and its log says why.

One thread makes and uses all knowledge bases and runs all local agents, which would not be faster
in several. Answers of agents over the network are awaited in other threads.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.bot import BotKind, BotWork, ready
from dialoom.collect.log.change import Change
from dialoom.collect.log.facts import ChatFailed, ChatJudged
from dialoom.collect.log.record import Body
from dialoom.collect.message import Refused
from dialoom.collect.settings import Settings
from dialoom.collect.study.stages import study_stages
from dialoom.collect.study.study import Study
from dialoom.dialogue import USER, Dialogue, Event, Utterance
from dialoom.errors import DialoomError
from dialoom.http.failure import NoAnswerError
from dialoom.play.agents.base import Agent
from dialoom.play.agents.chat import ChatAgents
from dialoom.play.agents.remote import WebHookAgents
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.users.goals import PlayGoal
from dialoom.schema.task import TaskSchema
from dialoom.serve.hub import Hub
from dialoom.sim.presets.star import load_tasks

log = logging.getLogger("dialoom.serve")

T = TypeVar("T")

AT_ONCE = 64
"""The most agents over the network whose answers are awaited at the same time."""

RETRY = 1.0
"""Seconds before an answer that could not be written is tried again."""


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


class BotTalks:
    """The bots of a study, which answer people; `UsageError` for one that cannot.

    Args:
        prepared: Bots that are ready, by their names.
    """

    def __init__(self, hub: Hub, prepared: Mapping[str, Agent] | None = None) -> None:
        self._hub = hub
        stages, kinds = hub.study.state.stages, hub.study.state.kinds
        talking = [stage for stage in stages if isinstance(kinds[stage.name], BotKind)]
        tasks: dict[str, TaskSchema] = {}
        by_name: dict[str, PlayGoal] = {}
        for kind in kinds.values():
            if isinstance(kind, BotKind):
                tasks |= kind.schemas
                by_name |= {goal.name: goal for goal in kind.goals}
        names = dict.fromkeys(name for stage in talking for name in stage.agents)
        bots = prepared or {}
        self._agents = {name: bots.get(name) or ready(name, tasks) for name in names}
        self._talks = Talks(tasks, hub.study.settings.seed, by_name.values())
        self._live: dict[int, LiveDialogue] = {}
        self._busy: dict[int, asyncio.Task[None]] = {}
        self._unshown: set[int] = set()

    def start(self) -> None:
        """Watch written changes from now on, and answer what was said before a restart."""
        if self._agents:
            self._hub.watchers.append(self._listen)
            self._listen(list(self._hub.study.state.live))

    def stop(self) -> None:
        """Cancel the running answers."""
        for task in tuple(self._busy.values()):
            task.cancel()
        self._talks.close()

    def _listen(self, assignments: Iterable[int]) -> None:
        by_number = self._hub.study.state.assignments
        for number in assignments:
            one = by_number.get(number)
            if one is not None and one.unit is not None:
                self._look(one.unit)

    def _look(self, number: int) -> None:
        work = self._hub.study.units[number].work
        if not isinstance(work, BotWork) or work.over:
            self._live.pop(number, None)
        elif work.awaited is not None and number not in self._busy:
            self._busy[number] = asyncio.ensure_future(self._act(number, work))

    async def _act(self, unit: int, work: BotWork) -> None:
        talk = work.talk
        bodies = await self._brought(unit, work)

        def answer(study: Study, now: int) -> Change:
            there = study.state.open.get(unit)
            same = there is not None and getattr(there.work, "talk", None) == talk
            return study.answer(unit, bodies, now) if same else Change()

        try:
            await self._hub.write(answer)
        except Refused as refusal:
            self._live.pop(unit, None)  # the bot may have seen an utterance that is not in the log
            if refusal.code == "internal":  # it would fail again
                self._unshown.add(unit)
            log.warning("the bot of unit %d gives no answer: %s", unit, refusal.what)
            await asyncio.sleep(RETRY)
        finally:
            self._busy.pop(unit, None)
        self._look(unit)

    async def _brought(self, unit: int, work: BotWork) -> Sequence[Body]:
        if unit in self._unshown:
            return [ChatFailed("its answer cannot be shown")]
        try:
            return await self._answered(unit, work)
        except Exception as error:  # a bug must not leave the person waiting
            log.exception("the talk of unit %d fails", unit)
            return [ChatFailed(f"{type(error).__name__}: {error}")]

    async def _answered(self, unit: int, work: BotWork) -> Sequence[Body]:
        setup, history = work.given, work.talk.events
        event = history[-1] if work.awaited == "reply" else None
        live = self._live.pop(unit, None)
        if live is None:
            before = history if event is None else history[:-1]
            agent = self._agents[setup.agent]
            live = await self._talks.again(setup.task, setup.goal, agent, before)
        if live is None:
            return [ChatFailed("after the server's restart it replies differently")]
        if isinstance(event, Utterance):
            (_, *done), failure = await self._talks.say(live, event.text)
            if failure is not None:
                return [*done, ChatFailed(failure)]
            self._live[unit] = live
            return done
        return [_judged(await self._talks.judged(live), live.changed, bool(setup.text))]


def _judged(dialogue: Dialogue, changed: dict[str, Any], has_goal: bool) -> ChatJudged:
    """Return the outcome of a talk; without a goal, only the rows that it changed."""
    scenario = dialogue.scenario
    if scenario is not None and not has_goal:
        scenario = replace(scenario, goal=None, user_task=None)
    verdict = dialogue.extra["play"] if has_goal else {}
    return ChatJudged(
        outcome=dialogue.outcome if has_goal else None,
        scenario=msgspec.to_builtins(scenario),
        verdict={**verdict, "changes": changed},
    )


def prepared(settings: Settings) -> dict[str, Agent]:
    """Return the bots of a study by their names, ready; `UsageError` for one that cannot talk."""
    bots: dict[str, Agent] = {}
    for stage in study_stages(settings):
        tasks = [task.id for task in load_tasks(",".join(stage.tasks or settings.tasks))]
        bots |= {name: ready(name, tasks) for name in stage.agents if stage.kind == "bot"}
    return bots
