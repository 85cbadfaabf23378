"""A run of an agent against users: which goals, how many trials of each, in which shards.

    plan = PlayPlan(tasks=tasks, agent="flow", user="simulated", goals=20, trials=4, seed=7)
    plan.source()(41)               # dialogue 41 of the run, with its verdict
    make_run(plan, folder)          # all of them, in a folder

Dialogue i is trial i modulo the trials of goal i // trials; goals go task by task. All trials of a
goal begin with the same database and have the same user, who words things differently. Plans are
those of the simulator, so that the same engines carry them out, resume them and give the same
bytes with any number of workers.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from dialoom.corpus.files import staged_folder
from dialoom.corpus.shards import Shard
from dialoom.dialogue import Dialogue, digest
from dialoom.errors import UsageError, clip
from dialoom.http.metering import Budget, WireLimits
from dialoom.play.agents.base import AGENTS, Agent
from dialoom.play.environments.opening import with_tools
from dialoom.play.judging import RULES
from dialoom.play.results.run import KIND, PlayRun, read_run
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.users.base import USERS, User
from dialoom.play.users.goals import PlayGoal, own_goals
from dialoom.schema.task import TaskSchema
from dialoom.sim.core.plan import TaskPlan
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.core.run import Maker, write_contents
from dialoom.sim.policies.flow.persons import read_traits
from dialoom.sim.stories.reading import bundled
from dialoom.sim.stories.story import FEWEST, TaskChooser

LOCAL_USERS = frozenset({"simulated", "replay"})
"""Users that make no requests."""

SHARD = 100
"""Dialogues in a shard; of an interrupted one the finished dialogues are kept."""


@dataclass(frozen=True, kw_only=True)
class PlayPlan(TaskPlan):
    """A run of one agent against one kind of user, named with settings or as values.

    `given` goals replace drawn ones. `account` is the file of all processes' costs; None: each
    counts its own. `origin` identifies an agent's model. `spent` is what a finished run with an
    account cost in all (`Budget.total`).
    """

    kind: ClassVar[str] = KIND
    preset: ClassVar[str] = "play"
    costly: ClassVar[bool] = True
    agent: str | Agent
    user: str | User
    goals: int
    origin: str = ""
    trials: int = 1
    given: tuple[PlayGoal, ...] = ()
    limits: WireLimits = field(default_factory=WireLimits)
    forbidden: tuple[str, ...] = ()
    traits: str = ""
    account: Path | None = None
    spent: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.tasks:
            raise UsageError("there is no task to play", code="no-task")
        super().__post_init__()

    @property
    def agent_name(self) -> str:
        """The agent with its settings, and its model where it has one."""
        return f"{self.agent} ({self.origin})" if self.origin else str(self.agent)

    @property
    def settings(self) -> dict[str, Any]:
        """The participants with their settings, the tasks' digests, and the trials of each goal."""
        # traits may come from files
        traits = [read_traits(self.traits, task.language) for task in self.tasks]
        return {
            "rules": RULES,
            "agent": self.agent_name,
            "user": str(self.user),
            "tasks": {task.id: digest(task) for task in self.tasks},
            "goals": self.goals,
            "trials": self.trials,
            **({"given": digest(self.given)} if self.given else {}),
            **({"forbidden": list(self.forbidden)} if self.forbidden else {}),
            **({"traits": self.traits, "trait": digest(traits)} if self.traits else {}),
            **{
                f"{side}_settings": msgspec.to_builtins(options)
                for side, options in self.limits.settings.items()
            },
            **({"spent": dict(self.spent)} if self.spent else {}),
        }

    def source(self) -> Callable[[int], Dialogue]:
        """Return what plays a dialogue by its index; each thread has a database of its own."""
        budget, own = Budget(self.limits, self.account), threading.local()

        def dialogue(index: int) -> Dialogue:
            if not hasattr(own, "goals"):
                own.agent, own.goals = AGENTS.made(self.agent), PlanGoals(self)
            goals: PlanGoals = own.goals
            number, trial = divmod(index, self.trials)
            return goals.goal(number).dialogue(own.agent, goals.user, trial, budget)

        return dialogue


def plan_of(
    tasks: tuple[TaskSchema, ...],
    agent: str | Agent,
    user: str | User,
    goals: int,
    trials: int,
    seed: int,
    play_goals: Iterable[PlayGoal] = (),
    limits: WireLimits | None = None,
    at_once: int = 1,
    forbidden: Iterable[str] = (),
    traits: str = "",
) -> PlayPlan:
    """Return the plan of a run; agent and user may have settings after a colon.

    `at_once` dialogues are played at a time in a process. `traits` are names with commas between
    them. `UnknownNameError` for agents and users, `UsageError` for their settings.
    """
    serving, users = AGENTS.made(agent), USERS.made(user)
    local = isinstance(user, str) and user.partition(":")[0] in LOCAL_USERS
    _check_limits(limits, agent=getattr(serving, "remote", True), user=not local)
    for task in tasks:
        read_traits(traits, task.language)
    if users.several:
        _check_together(tasks)
    tasks = tuple(with_tools(task)[0] for task in tasks)
    own = tuple(users.goals({task.id: task for task in tasks}, seed))
    if own and traits:
        raise UsageError(
            "--traits: users of a recorded run say what they said; leave it out", code="not-taken"
        )
    presets = own or tuple(play_goals) or _stated_goals(tasks)
    many = len(presets) if presets else len(tasks) * goals
    return PlayPlan(
        tasks=tasks,
        agent=agent,
        user=user,
        goals=goals,
        origin=getattr(serving, "origin", ""),
        trials=trials,
        seed=seed,
        given=presets,
        limits=limits or WireLimits(),
        traits=traits,
        at_once=at_once,
        forbidden=tuple(forbidden),
        dialogues=many * trials,
        shard=-(-SHARD // trials) * trials,
    )


def _check_limits(limits: WireLimits | None, **remote: bool) -> None:
    """Refuse settings of a side that makes no requests, and limits if neither makes any."""
    limits = limits or WireLimits()
    idle = {f"--{side}-settings" for side in limits.settings if not remote[side]}
    if not any(remote.values()):
        options = {"--rate": limits.rate, "--max-calls": limits.calls, "--prices": limits.prices}
        idle |= {option for option, value in options.items() if value is not None}
    if idle:
        what = "is for participants that make requests; leave it out"
        raise UsageError(f"{min(idle)} {what}", code="not-taken")


def _stated_goals(tasks: Sequence[TaskSchema]) -> tuple[PlayGoal, ...]:
    stated = {task.id: tuple(own_goals(task)) for task in tasks}
    lacking = [task for task, goals in stated.items() if not goals]
    if lacking and len(lacking) < len(stated):
        what = "play them apart, or name a file by --goals"
        raise UsageError(
            f"task {lacking[0]} states no goals of its own and others do: {what}", code="no-goals"
        )
    return tuple(goal for goals in stated.values() for goal in goals)


def _check_together(tasks: Sequence[TaskSchema]) -> None:
    if len(tasks) < FEWEST:
        raise UsageError(
            f"--user with several tasks: --tasks names {len(tasks)}; name two or more",
            code="too-few",
        )
    calls = Counter(call for task in tasks for call in task.calls)
    often = next((call for call, times in calls.items() if times > 1), None)
    if often is not None:
        raise UsageError(
            f"--user with several tasks: two of the tasks have a call {clip(often)}", code="twice"
        )


def make_run(
    plan: PlayPlan, folder: Path, on_played: Callable[[int], None] | None = None
) -> PlayRun:
    """Play a plan in this process into a new folder; `OutputError` if it is not empty.

    `on_played` is called with the number of dialogues that were played since its last call.
    """
    AGENTS.made(plan.agent).ready(plan.schemas)
    maker = Maker(plan)
    with staged_folder(folder) as stage:
        shards = []
        for done in (each for number in plan.shards for each in maker.shard(number, stage)):
            if isinstance(done, Shard):
                shards.append(done)
            elif on_played is not None:
                on_played(done)
        write_contents(plan, shards, stage)
    return read_run(folder)


class PlanGoals:
    """The goals of a plan and their users; tasks and goals are prepared once."""

    def __init__(self, plan: PlayPlan) -> None:
        self.plan = plan
        self.user = USERS.made(plan.user)
        self._ready: dict[int, ReadyTask] = {}
        self._known: tuple[int, GoalRun] | None = None

    def goal(self, place: int) -> GoalRun:
        """Return a goal by its place in the run."""
        if self._known is None or self._known[0] != place:
            plan = self.plan
            run = self._given(place) if plan.given else self._drawn(*divmod(place, plan.goals))
            self._known = place, run
        return self._known[1]

    def drawn(self, task: str, number: int) -> GoalRun:
        """Return a drawn goal by its task and its number there."""
        ids = [task.id for task in self.plan.tasks]
        return self.goal(ids.index(task) * self.plan.goals + number)

    def _given(self, number: int) -> GoalRun:
        goal, ids = self.plan.given[number], [task.id for task in self.plan.tasks]
        tasks = [self._task(ids.index(task)) for task in goal.wanted]
        seed = seed_of(self.plan.seed, number)
        return GoalRun(tasks, number, seed, goal, self.plan.forbidden, self.plan.traits)

    def _drawn(self, which: int, number: int) -> GoalRun:
        seed = seed_of(self.plan.seed, number)
        together = [which]
        if self.user.several:
            rng = SeededRng(seed, b"tasks of " + self.plan.tasks[which].id.encode())
            _, picks = self._chooser.draw(rng, which)
            together = [which, *(number for number in picks if number != which)]
        ready = [self._task(each) for each in together]
        return GoalRun(ready, number, seed, None, self.plan.forbidden, self.plan.traits)

    @cached_property
    def _chooser(self) -> TaskChooser:
        return TaskChooser(self.plan.tasks, bundled())

    def _task(self, which: int) -> ReadyTask:
        if which not in self._ready:
            self._ready[which] = ReadyTask(self.plan.tasks[which], self.plan.seed)
        return self._ready[which]
