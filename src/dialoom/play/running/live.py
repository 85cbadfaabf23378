"""A dialogue between an agent and a person, a turn at a time.

    live = LiveDialogue(goal, agent)
    live.say("I need a hotel")      # the events of that turn: said, called, found, answered
    live.judged()                   # the dialogue with its verdict

Between turns the dialogue leaves nothing in the knowledge base: before a call, its earlier calls
are made again. So any number of dialogues can share a knowledge base.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dialoom.dialogue import USER, Constraint, Dialogue, Event, Utterance
from dialoom.kb.effects import Answer
from dialoom.play.agents.base import Agent
from dialoom.play.judging.verdict import Ended
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.running.trial import LIMITS, TrialRecord, take_turn
from dialoom.play.users.goals import PlayGoal
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.rng import seed_of

Locked = Callable[[Callable[[], Answer]], Answer]
"""Runs a function that uses the knowledge base while it holds the base's lock."""


class LiveGoals:
    """The goals of people who talk with an agent, by task and number; some may be given."""

    def __init__(
        self, tasks: Mapping[str, TaskSchema], seed: int, play_goals: Iterable[PlayGoal] = ()
    ) -> None:
        self._tasks, self._seed = tasks, seed
        self._given: dict[str, list[PlayGoal]] = {}
        for goal in play_goals:
            self._given.setdefault(next(iter(goal.wanted)), []).append(goal)
        self._ready: dict[str, ReadyTask] = {}

    def goal(self, task: str, number: int) -> GoalRun:
        """Return a goal of a task; goals that are given come again after the last one."""
        if task not in self._ready:
            self._ready[task] = ReadyTask(self._tasks[task], self._seed)
        own = self._given.get(task)
        preset = own[number % len(own)] if own else None
        return GoalRun((self._ready[task],), number, seed_of(self._seed, number), preset)


class LiveDialogue:
    """One dialogue of an agent, with a goal of a task.

    `locked` runs functions that use the knowledge base; without a lock by default.
    """

    def __init__(self, goal: GoalRun, agent: Agent, locked: Locked | None = None) -> None:
        self.goal = goal
        self._seat = goal.seat(0)
        began = time.monotonic()
        self._record = TrialRecord(
            agent.reads_acts, clock=lambda: round(1000 * (time.monotonic() - began))
        )
        self.agent, self._participant = agent, agent.join(goal.agent_seat(self._seat))
        self._made: list[tuple[str, tuple[Constraint, ...]]] = []
        self._locked = locked or (lambda use: use())
        self.changed: dict[str, Any] = {}
        self._ended: Ended = "completed"

    @property
    def events(self) -> Sequence[Event]:
        """The events so far."""
        return self._record.events

    def say(self, text: str) -> Sequence[Event]:
        """Say something to the agent; return the events from this utterance on.

        `NoAnswerError` if the agent's server or program failed: the dialogue cannot go on.
        """
        at = len(self.events)
        self._record.add((Utterance(agent=USER, text=text),))
        if not take_turn(self._participant, self._record, self._call, LIMITS.calls):
            self._ended = "calls"
        return self.events[at:]

    def _call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        return self._locked(lambda: self._answered(api, constraints))

    def _answered(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        with self.goal.opened(self._seat) as opened:
            for each in self._made:
                opened.call(*each)
            answer = opened.call(api, constraints)
            self._made.append((api, constraints))
            self.changed = opened.changes()
        return answer

    def judged(self) -> Dialogue:
        """Return the dialogue with its verdict."""
        return self.goal.judged(self._seat, 0, self.events, self._ended, self.changed, happy=None)

    @property
    def failure(self) -> str | None:
        """Why the person's last utterance has no answer; None if it has one."""
        last = next((e for e in reversed(self.events) if isinstance(e, Utterance)), None)
        if last is None or last.agent != USER:
            return None
        return "calls without end" if self._ended == "calls" else "no answer that says anything"
