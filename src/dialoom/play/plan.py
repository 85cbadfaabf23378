"""A run of an agent against users: which goals, how many trials of each, in which shards.

    plan = PlayPlan(tasks=tasks, agent="flow", user="simulated", goals=20, trials=4, seed=7)
    plan.source()(41)               # dialogue 41 of the run, with its verdict

Dialogue i is trial i modulo the trials of goal i // trials; goals go task by task. All trials of a
goal begin with the same database and have the same user, who words things differently. Plans are
those of the simulator, so that the same engines carry them out, resume them and give the same
bytes with any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, ClassVar

import msgspec

from dialoom.dialogue import Dialogue, Scenario, digest
from dialoom.errors import UsageError
from dialoom.kb.state import Difference
from dialoom.play.agents import AGENTS, Agent, AgentSeat, OracleAgent
from dialoom.play.target import DialogueTarget, target_of
from dialoom.play.trial import Ended, play
from dialoom.play.users import USERS, SimulatedUsers, User, UserSeat
from dialoom.play.verdict import judge
from dialoom.quality.flow_alignment import FlowAlignment
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import Plan
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.simulator import Simulator

SHARD = 100
"""Dialogues in a shard: what an interrupted run has to play again."""


@dataclass(frozen=True, kw_only=True)
class PlayPlan(Plan):
    """A run of one agent against one kind of user.

    Attributes:
        tasks: The tasks.
        agent: The agent, with its settings after a colon.
        user: The user, likewise.
        goals: Goals of each task.
        trials: Dialogues of each goal.
    """

    kind: ClassVar[str] = "played"
    preset: ClassVar[str] = "play"
    tasks: tuple[TaskSchema, ...]
    agent: str
    user: str
    goals: int
    trials: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.tasks:
            raise UsageError("there is no task to play")

    @property
    def schemas(self) -> Mapping[str, TaskSchema]:
        """The tasks by id."""
        return {task.id: task for task in self.tasks}

    @property
    def settings(self) -> dict[str, Any]:
        """The participants, the tasks' digests and how often each goal is played."""
        return {
            "agent": self.agent,
            "user": self.user,
            "tasks": {task.id: digest(task) for task in self.tasks},
            "goals": self.goals,
            "trials": self.trials,
        }

    def source(self) -> Callable[[int], Dialogue]:
        """Return what plays a dialogue by its index."""
        return _Source(self).dialogue


def plan_of(
    tasks: tuple[TaskSchema, ...], agent: str, user: str, goals: int, trials: int, seed: int
) -> PlayPlan:
    """Return the plan of a run.

    Raises:
        UnknownNameError: There is no such agent or user.
        UsageError: Their settings are none.
    """
    made(AGENTS, agent), made(USERS, user)
    return PlayPlan(
        tasks=tasks,
        agent=agent,
        user=user,
        goals=goals,
        trials=trials,
        seed=seed,
        dialogues=len(tasks) * goals * trials,
        shard=-(-SHARD // trials) * trials,
    )


def made(registry: Any, named: str) -> Any:
    """Return a participant of a registry by its name, made with what stands after the colon."""
    name, _, settings = named.partition(":")
    return registry.get(name)(settings)


class _Source:
    """Plays the dialogues of a plan; what a task or a goal needs is made ready once."""

    def __init__(self, plan: PlayPlan) -> None:
        self.plan = plan
        self.agent: Agent = made(AGENTS, plan.agent)
        self.user: User = made(USERS, plan.user)
        self._runs: dict[int, _TaskRun] = {}

    def dialogue(self, index: int) -> Dialogue:
        """Return one dialogue of the run."""
        plan = self.plan
        goal, trial = divmod(index, plan.trials)
        which, number = divmod(goal, plan.goals)
        run = self._runs.get(which)
        if run is None:
            run = self._runs[which] = _TaskRun(plan.tasks[which], plan.seed)
        return run.dialogue(self.agent, self.user, number, trial)


class _TaskRun:
    """One task with its knowledge base."""

    def __init__(self, task: TaskSchema, seed: int) -> None:
        self._simulator = Simulator(task, seed)
        self._alignment = FlowAlignment(task)
        self._seed = seed
        self._known: tuple[int, DialogueTarget, str] | None = None

    def dialogue(self, agent: Agent, user: User, number: int, trial: int) -> Dialogue:
        """Play one trial of a goal, and judge it."""
        program = self._simulator.program
        target, told = self._reference(number)
        seat = self._user_seat(number, trial)
        events, ended, changed = self._play(agent, user, seat)
        goal = seat.goal
        verdict = judge(self._alignment, program, events, ended, target, changed, goal)
        aim = {**goal, "effects": target.effects, "told": msgspec.to_builtins(target.told)}
        scenario = Scenario(
            domains=(program.schema.domain,),
            capabilities=(self._simulator.capability,),
            user_task=told,
            happy=user.happy,
            multi_task=False,
            goal=aim,
        )
        return Dialogue(
            id=f"{program.task}-{number + 1}-{trial + 1}",
            events=tuple(events),
            scenario=scenario,
            outcome="reached" if verdict.passed else "missed",
            provenance="simulated",
            extra={"play": {"goal": number, "trial": trial, **msgspec.to_builtins(verdict)}},
        )

    def _reference(self, number: int) -> tuple[DialogueTarget, str]:
        """Return what a goal is to come to, by what the oracle comes to, and the goal in words."""
        if self._known is None or self._known[0] != number:
            seat = self._user_seat(number, 0)
            told = seat.told
            events, ended, changed = self._play(OracleAgent(), SimulatedUsers(), seat)
            if ended != "completed":
                raise self._simulator.program.error(f"goal {number + 1} has no end: {ended}")
            self._known = number, target_of(self._simulator.program, events, changed), told
        return self._known[1:]

    def _user_seat(self, number: int, trial: int) -> UserSeat:
        drawn = seed_of(self._seed, number)
        wording = blake2b(drawn + b"trial %d" % trial, digest_size=32).digest()
        return UserSeat(self._simulator, drawn, wording)

    def _play(
        self, agent: Agent, user: User, seat: UserSeat
    ) -> tuple[list[Any], Ended, Difference]:
        base = self._simulator.base
        own = AgentSeat(program=self._simulator.program, seed=seat.wording)
        with base.dialogue(seat.name) as session:
            events, ended = play(
                user.join(seat), agent.join(own), base.call, reads_acts=agent.reads_acts
            )
            return events, ended, session.difference()
