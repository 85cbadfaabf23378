"""Verdicts on agents: each bundled task, served to simulated users."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from dialoom.bench.suite.experiments import Simulated
from dialoom.dialogue import digest
from dialoom.play.results.summary import Played, played, summarise
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.sim.presets.star import load_tasks
from tests.digests.corpora import Corpora
from tests.digests.simulators import GERMAN
from tests.digests.table import Entry

SEED = 7
GOALS = 2
LESSONS = 36

USERS = ("simulated", "simulated:unhappy")
SEVERAL = "simulated:multi"

FIGURES = (
    "changed",
    "ended",
    "faults",
    "kept",
    "reached",
    "rewards",
    "steps",
    "turns",
    "twice",
    "unasked",
    "unreported",
)
"""The figures of a verdict that the digest covers; name here those that are added later."""


@dataclass(frozen=True)
class PlayCase:
    """One agent that serves some tasks.

    Attributes:
        name: The entry's name.
        agent: The agent's name.
        tasks: The names of the tasks, with commas between.
        users: The users.
        lessons: The names of the tasks that the agent is trained on; empty for an untrained agent.
        goals: Goals of each task and user.
        needs: The libraries that it needs and that a plain installation lacks.
    """

    name: str
    agent: str
    tasks: str
    users: tuple[str, ...] = USERS
    lessons: str = ""
    goals: int = GOALS
    needs: tuple[str, ...] = ()

    def measure(self, corpora: Corpora) -> Entry:
        agent = self.agent
        if self.lessons:
            corpus = Simulated("star", LESSONS, seed=1, tasks=self.lessons)
            agent = f"{agent}:{corpora.simulated(corpus)}"
        tasks = tuple(load_tasks(self.tasks))
        verdicts = list(
            chain.from_iterable(self._played(agent, user, tasks) for user in self.users)
        )
        every = summarise(verdicts)["all"]
        score = (
            f"{sum(each.passed for each in verdicts)} of {len(verdicts)} passed, "
            f"{every['adherence']:.1f} adherence, {every['user_faults']} user faults"
        )
        return Entry(
            digest([_counted(each) for each in verdicts]),
            digest([tasks, self.users, self.lessons, [each.wanted for each in verdicts]]),
            score,
        )

    def _played(self, agent: str, user: str, tasks: tuple[Any, ...]) -> Iterator[Played]:
        plan = plan_of(tasks, agent, user, self.goals, 1, SEED)
        for dialogue in map(plan.source(), range(plan.dialogues)):
            verdict = played(dialogue)
            assert verdict is not None
            yield verdict


def _counted(one: Played) -> list[Any]:
    """Return the part of a verdict that the digest covers."""
    return [one.task, one.goal, {name: one.verdict.get(name) for name in FIGURES}]


def _flow() -> Iterator[PlayCase]:
    for task in (*pack.names(), *pack.names("service")):
        yield PlayCase(f"play/flow/{task}", "flow", task)
    yield PlayCase("play/flow/german", "flow", GERMAN)
    yield PlayCase("play/flow/several-tasks", "flow", "all", (SEVERAL,), goals=1)


def _follower() -> Iterator[PlayCase]:
    """Yield a third of the tasks of each half, served by a model of the other half."""
    halves = pack.names()[::2], pack.names()[1::2]
    for half, other in (halves, halves[::-1]):
        for task in half[::3]:
            yield PlayCase(f"play/follower/{task}", "follower", task, USERS[:1], ",".join(other))
    for task in pack.names("service")[::3]:
        yield PlayCase(f"play/follower/{task}", "follower", task, USERS[:1], ",".join(halves[0]))


PLAY_CASES = [*_flow(), *_follower()]
