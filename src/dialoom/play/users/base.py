"""The interface of users, and users by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Protocol

from dialoom.dialogue import Capability
from dialoom.dialogue.participant import Participant
from dialoom.flow.program import TaskProgram
from dialoom.http.metering import Meter
from dialoom.play.users.goals import PlayGoal
from dialoom.registry import Registry
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from dialoom.schema.values import plain
from dialoom.sim.policies.flow.briefing import briefing, dated, topics
from dialoom.sim.policies.flow.persons import Manner, Person, Trait
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.turns import UserRunner


class OutsideTask:
    """A task without a flow: its goals are stated, and its calls are made in an environment."""

    def __init__(self, program: TaskProgram) -> None:
        self.program = program
        self.capability = Capability(program.task, program.schema.domain)


class UserSeat:
    """The input of a user before a dialogue: the tasks, a goal, and the seeds of both.

    `story` returns the instructions that lead to the end of the goal. `person` is None for the
    lines of the tasks.
    """

    def __init__(
        self,
        simulators: Sequence[Simulator | OutsideTask],
        seed: bytes,
        wording: bytes,
        goal: PlayGoal | None = None,
        meter: Meter | None = None,
        story: Callable[[], str] | None = None,
        trait: Trait | None = None,
    ) -> None:
        self._story, self.trait = story, trait
        self.simulators, self.drawn, self.wording = simulators, seed, wording
        self.given, self.meter = goal, meter or Meter()
        self.manner: Manner = "plain"
        self.person: Person | None = None

    @property
    def name(self) -> str:
        """The name of the dialogue to the knowledge base: all trials of a goal share it."""
        goal = self.given
        return goal.database if goal is not None else self.drawn.hex()[:16]

    @property
    def language(self) -> str:
        """The language of the tasks."""
        return self.simulators[0].program.language

    @property
    def outside(self) -> bool:
        """True if a task has no flow along which a user could be simulated."""
        return any(isinstance(each, OutsideTask) for each in self.simulators)

    @cached_property
    def runners(self) -> list[UserRunner]:
        """The tasks with the user's wishes; `SchemaError` if a task has no flow."""
        users: list[UserRunner] = []
        facts: dict[str, tuple[Slot, Any]] = {}
        for simulator in self.simulators:
            task = simulator.program.task
            if isinstance(simulator, OutsideTask):
                raise simulator.program.error("has no flow along which users could be simulated")
            own = task.encode() if len(self.simulators) > 1 else b""
            values = self.given.wanted[task] if self.given is not None else None
            seed, wording = self.drawn + own, self.wording + own
            runner = simulator.user(seed, wording, self.manner, facts, values, self.person)
            slots = simulator.program.schema.slots
            for slot, wish in runner.user.goal.said.items():
                facts.setdefault(slot, (slots[slot], wish.canonical))
            users.append(runner)
        return users

    @cached_property
    def instructions(self) -> str:
        """Instructions for a person or a language model in the user's place."""
        own = self.outside or (self.given is not None and self.given.says)
        return self.briefing if own or self._story is None else self._story()

    @property
    def briefed(self) -> bool:
        """Whether the user has read the instructions, their only source of the goal."""
        return "instructions" in vars(self)

    @property
    def briefing(self) -> str:
        """The goal in words, without what a simulated user decides on the way."""
        if self.given is not None and self.outside:
            texts = [self.given.says] if self.given.says else self.given.turns
            return "\n".join((*texts, *self.facts))
        if self.given is not None and self.given.says:
            return dated(self.given.says, self.simulators[0].program)
        return briefing(self.runners[0]) if len(self.runners) == 1 else topics(self.runners)

    @property
    def facts(self) -> Iterator[str]:
        """The facts for the user of a stated goal, each as a line."""
        for simulator in self.simulators:
            slots = simulator.program.schema.slots
            values = self.given.wanted[simulator.program.task] if self.given is not None else {}
            for name, value in values.items():
                title = slots[name].description if name in slots else name
                yield f"{title}: {plain(value, self.language)}"

    @property
    def goal(self) -> dict[str, Any]:
        """The user's goal, with its changes so far."""
        if self.given is not None and self.given.record:
            return self.given.record
        if self.given is not None and self.outside:
            return {"values": dict(self.given.wanted[self.simulators[0].program.task])}
        goals = {each.program.task: each.user.goal.record for each in self.runners}
        return {"tasks": goals} if len(goals) > 1 else self.runners[0].user.goal.record


class User(Protocol):
    """Plays users of any task; made once a process from the settings after its name.

    `happy`: users keep to the flow; `several`: goals combine tasks.
    """

    happy: bool = True
    several: bool = False

    def goals(self, tasks: Mapping[str, TaskSchema], seed: int) -> Iterable[PlayGoal]:
        """Return the goals that they bring with them; none where these are drawn."""
        return ()

    def join(self, seat: UserSeat) -> Participant:
        """Return who takes part in one dialogue."""


USERS: Registry[Callable[[str], User]] = Registry(
    "user",
    "dialoom.users",
    {
        "openai": "dialoom.play.users.chat:ChatUsers",
        "replay": "dialoom.play.users.replay:ReplayedUsers",
        "simulated": "dialoom.play.users.simulated:SimulatedUsers",
    },
)
