"""A goal of one task or several: its target, and its trials.

    run = GoalRun((ReadyTask(task, seed),), number=3, drawn=seed_of(seed, 3))
    run.target.effects                        # what the oracle comes to
    run.dialogue(agent, user, trial=0)        # a dialogue, judged

All trials begin with the same database and the same goal; the user words it differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import Constraint, Dialogue, Event, Scenario
from dialoom.errors import SchemaError, UnknownNameError, UsageError
from dialoom.flow.program import TaskProgram
from dialoom.kb import KnowledgeBase
from dialoom.kb.effects import Answer
from dialoom.kb.state import Session
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.agents.flow import OracleAgent
from dialoom.play.judging.hand_over import HAND_OVER, with_hand_over
from dialoom.play.judging.target import DialogueTarget, by_task, target_of
from dialoom.play.judging.verdict import Ended, Failure, judge
from dialoom.play.running.trial import LIMITS, play
from dialoom.play.users.base import User, UserSeat
from dialoom.play.users.goals import PlayGoal
from dialoom.play.users.instructions import instructions
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.play.wire.metering import Budget, Meter
from dialoom.schema.call_check import call_faults
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.traits import read_traits


class ReadyTask:
    """A task with its simulator and its knowledge base."""

    def __init__(self, task: TaskSchema, seed: int) -> None:
        self.simulator = Simulator(task, seed)

    @property
    def program(self) -> TaskProgram:
        """The task, compiled."""
        return self.simulator.program


class SolvedGoal(NamedTuple):
    """What the oracle reaches: the target, the user's goal with its changes, and the events."""

    target: DialogueTarget
    goal: dict[str, Any]
    events: Sequence[Event]


class GoalRun:
    """One goal with its target.

    Args:
        tasks: The tasks, in the order in which the user comes to them.
        number: The number of the goal among those of the first task.
        drawn: The seed of the goal.
        given: The goal, if it is given rather than drawn.
        forbidden: Words that the agent must not say.
        traits: What users are like, by names (`read_traits`).
    """

    def __init__(
        self,
        tasks: Sequence[ReadyTask],
        number: int,
        drawn: bytes,
        given: PlayGoal | None = None,
        forbidden: Sequence[str] = (),
        traits: str = "",
    ) -> None:
        self._trait = read_traits(traits, tasks[0].program.language)
        self.tasks, self.number, self._drawn, self.given = tasks, number, drawn, given
        self._forbidden = forbidden
        self.name = str(number + 1) if given is None else given.name

    @cached_property
    def target(self) -> DialogueTarget:
        """The target that the goal states, else what the oracle reaches.

        Raises:
            SchemaError: The oracle does not end the dialogue, or reaches another end.
        """
        given = self.given
        if given is not None and given.said:
            return DialogueTarget(
                effects=given.ends[0], told=given.told or (), others=given.ends[1:]
            )
        found = self._reference.target
        if given is None:
            return found
        own = {table: held for table, held in found.effects.items() if table != HAND_OVER}
        if given.ends and found.effects not in given.ends and own not in given.ends:
            raise self._wrong(f"is not reached by the oracle, which comes to {found.effects}")
        ends = given.ends or (found.effects,)
        ends += (found.effects,) if found.effects not in ends else ()
        told = found.told if given.told is None else given.told
        return DialogueTarget(effects=ends[0], told=told, others=ends[1:])

    @cached_property
    def _reference(self) -> SolvedGoal:
        return self._solved(SimulatedUsers("multi" if len(self.tasks) > 1 else ""), 0)

    def _instructions(self) -> str:
        """Return what a user is told who does not follow the flow (`play.users.instructions`)."""
        found, programs = self._reference, [task.program for task in self.tasks]
        names = [program.task for program in programs]
        shares = by_task(names, found.events)
        wanted = found.goal.get("tasks", {names[0]: found.goal})
        several = len(programs) > 1
        first = [scenario_texts(programs[0].language).topics] if several else []
        told = (instructions(p, wanted[p.task]["values"], shares[p.task]) for p in programs)
        return "\n".join((*first, *(line for lines in told for line in lines)))

    def solve(self, user: User, trial: int) -> tuple[DialogueTarget, dict[str, Any]]:
        """Return what the oracle reaches with a user, and the user's goal.

        Raises:
            SchemaError: The dialogue is broken off.
        """
        found = self._solved(user, trial)
        return found.target, found.goal

    def _solved(self, user: User, trial: int) -> SolvedGoal:
        seat = self.seat(trial, plain=True)
        events, ended, changed = self._play(OracleAgent(), user, seat, Meter())
        if ended != "completed":
            raise self._wrong(f"has no end: {ended}")
        programs = [task.program for task in self.tasks]
        changed = with_hand_over(programs, events, changed)
        return SolvedGoal(target_of(programs, events, changed), seat.goal, events)

    def _wrong(self, what: str) -> SchemaError:
        return self.tasks[0].program.error(f"goal {self.name} {what}")

    def seat(self, trial: int, budget: Budget | None = None, *, plain: bool = False) -> UserSeat:
        """Return the seat of a trial's user: tasks, goal and seeds; a `plain` one has no traits."""
        wording = blake2b(self._drawn + b"trial %d" % trial, digest_size=32).digest()
        simulators = [task.simulator for task in self.tasks]
        meter = Meter(budget, "user")
        story, trait = self._instructions, None if plain else self._trait
        return UserSeat(simulators, self._drawn, wording, self.given, meter, story, trait)

    def dialogue(
        self, agent: Agent, user: User, trial: int, budget: Budget | None = None
    ) -> Dialogue:
        """Play one trial, and judge it.

        Raises:
            NoAnswerError: A participant's server refuses every request.
            BudgetError: The run's budget is spent.
        """
        seat, meter = self.seat(trial, budget), Meter(budget)
        events, ended, changed = self._play(agent, user, seat, meter)
        costs = spent(agent=meter, user=seat.meter)
        return self.judged(seat, trial, events, ended, changed, happy=user.happy, costs=costs)

    def judged(
        self,
        seat: UserSeat,
        trial: int,
        events: Sequence[Event],
        ended: Ended | Failure,
        changed: dict[str, Any],
        *,
        happy: bool | None,
        costs: Mapping[str, Any] = MappingProxyType({}),
        recorded: Mapping[str, Any] | None = None,
    ) -> Dialogue:
        """Return the events of a trial as a dialogue with its verdict.

        Args:
            seat: The user's seat.
            trial: The number of the trial.
            events: The events.
            ended: How it ended, or the failure that ended it.
            changed: The changes of the databases (`OpenedBases.changes`).
            happy: Whether the user kept to the flow; None where that is not known.
            costs: What both sides spent (`spent`).
            recorded: The goal with the user's changes of mind, where the dialogue has it already.
        """
        own = self._reference.goal if seat.briefed or happy is None else seat.goal
        target, wanted = self.target, own if recorded is None else recorded
        programs = [task.program for task in self.tasks]
        changed = with_hand_over(programs, events, changed)
        verdict = judge(programs, events, ended, target, changed, wanted, self._forbidden)
        aim = {**wanted, "effects": target.effects, "told": msgspec.to_builtins(target.told)}
        aim |= {"others": list(target.others)} if target.others else {}
        if self.given is not None:
            aim |= {"database": seat.name}
            aim |= {"state": self.given.state} if self.given.state else {}
        told = {"goal": self.number, "trial": trial, **msgspec.to_builtins(verdict), **costs}
        scenario = Scenario(
            domains=tuple(dict.fromkeys(program.schema.domain for program in programs)),
            capabilities=tuple(task.simulator.capability for task in self.tasks),
            user_task=seat.told if seat.briefed else self.seat(0).briefing,
            happy=happy,
            multi_task=len(programs) > 1,
            goal=aim,
        )
        return Dialogue(
            id=f"{programs[0].task}-{self.name}-{trial + 1}",
            events=tuple(events),
            scenario=scenario,
            outcome=verdict.outcome,
            provenance="simulated",
            extra={"play": told},
        )

    def agent_seat(self, seat: UserSeat, meter: Meter | None = None) -> AgentSeat:
        """Return the seat of the agent that serves a user."""
        programs = tuple(each.program for each in self.tasks)
        return AgentSeat(programs=programs, seed=seat.wording, meter=meter or Meter())

    @contextmanager
    def opened(self, seat: UserSeat) -> Iterator[OpenedBases]:
        """Yield the databases in their first state; restore them at the end of the block."""
        held: dict[KnowledgeBase, tuple[TaskProgram, Session]] = {}
        state = self.given.state if self.given is not None else {}
        with ExitStack() as stack:
            for task in self.tasks:
                base = task.simulator.base
                held[base] = task.program, stack.enter_context(base.dialogue(seat.name))
                base.arrange({t: rows for t, rows in state.items() if t in base.tables})
            yield OpenedBases(held)

    def _play(
        self, agent: Agent, user: User, seat: UserSeat, meter: Meter
    ) -> tuple[list[Event], Ended | Failure, dict[str, Any]]:
        with self.opened(seat) as bases:
            events, ended = play(
                user.join(seat),
                agent.join(self.agent_seat(seat, meter)),
                bases.call,
                replace(LIMITS, turns=len(self.tasks) * LIMITS.turns),
                reads_acts=agent.reads_acts,
            )
            return events, ended, bases.changes()


def spent(**meters: Meter) -> dict[str, Any]:
    """Return side to what it spent, for the sides that spent something."""
    found = {side: msgspec.to_builtins(each.spent) for side, each in meters.items()}
    found = {side: held for side, held in found.items() if held}
    return {"spent": found} if found else {}


class OpenedBases:
    """The databases of some tasks during a dialogue.

    Args:
        held: Knowledge base to its task and the dialogue's session on it.
    """

    def __init__(self, held: Mapping[KnowledgeBase, tuple[TaskProgram, Session]]) -> None:
        self._sessions = {program.task: session for program, session in held.values()}
        self._bases = {
            call: (base, program.schema)
            for base, (program, _) in held.items()
            for call in program.schema.calls
        }

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call of one of the tasks, unless it is not as the task publishes it.

        Raises:
            UnknownNameError: No task has this call.
            UsageError: An input is missing, or has a value that is none.
        """
        if api not in self._bases:
            raise UnknownNameError("API", api, self._bases)
        base, task = self._bases[api]
        faults = "; ".join(call_faults(task, task.calls[api], constraints))
        if faults:
            raise UsageError(f"{api}: {faults}")
        return base.call(api, constraints)

    def repeat(self, api: str, constraints: tuple[Constraint, ...]) -> None:
        """Make a call again that was made when the dialogue was played; skip what cannot be."""
        base, _ = self._bases.get(api, (None, None))
        if base is not None:
            with suppress(UnknownNameError, UsageError, SchemaError):
                base.call(api, constraints)

    def changes(self) -> dict[str, Any]:
        """Return table ("TASK.TABLE" for several tasks) to its changes so far."""
        done = {task: each.difference().data() for task, each in self._sessions.items()}
        if len(done) == 1:
            return dict(next(iter(done.values())))
        return {f"{task}.{name}": held for task, own in done.items() for name, held in own.items()}
