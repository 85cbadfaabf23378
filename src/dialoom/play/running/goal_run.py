"""A goal of one task or several: its target, and its trials.

    run = GoalRun((ReadyTask(task, seed),), number=3, drawn=seed_of(seed, 3))
    run.target.effects                        # what the oracle comes to
    run.dialogue(agent, user, trial=0)        # a dialogue, judged

All trials begin with the same database and the same goal; the user words it differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from hashlib import blake2b
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import USER, Constraint, Dialogue, Event, Scenario, Utterance
from dialoom.errors import SchemaError, UnknownNameError, UsageError, check_name
from dialoom.flow.program import TaskProgram, program_of
from dialoom.http.metering import Budget, Meter
from dialoom.kb.effects import Answer
from dialoom.play.agents.base import Agent, AgentSeat
from dialoom.play.agents.flow import OracleAgent
from dialoom.play.arguments import constraints_of
from dialoom.play.environments.base import (
    EnvironmentFailureError,
    EnvironmentSession,
    KnowledgeBaseEnvironment,
)
from dialoom.play.environments.opening import with_tools
from dialoom.play.judging.target import (
    HAND_OVER,
    DialogueTarget,
    by_task,
    target_of,
    with_hand_over,
)
from dialoom.play.judging.verdict import Ended, Failure, judge
from dialoom.play.running.trial import LIMITS, failure_of, play
from dialoom.play.users.base import OutsideTask, User, UserSeat
from dialoom.play.users.goals import PlayGoal, own_goals
from dialoom.play.users.instructions import instructions
from dialoom.play.users.simulated import SCRIPTED, SimulatedUsers
from dialoom.schema.environment import ExpectedCall
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.flow.persons import read_traits
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.simulator import Simulator

OUTSIDE_CALLS = 40
"""Most calls in a turn of a task without a flow: goals of tau2-bench's retail domain expect up to
13, and an agent that looks around makes more."""


class ReadyTask:
    """A task with its environment, and with a simulator where it has a flow."""

    def __init__(self, task: TaskSchema, seed: int) -> None:
        task, environment = with_tools(task)
        self.simulator: Simulator | OutsideTask
        if environment is None or task.flow:
            self.simulator = Simulator(task, seed)
            base = KnowledgeBaseEnvironment(self.simulator.program.schema, self.simulator.base)
            self.environment = environment or base
        else:
            self.simulator = OutsideTask(program_of(task))
            self.environment = environment
        self.goals = tuple(own_goals(task))

    @property
    def program(self) -> TaskProgram:
        """The task, compiled."""
        return self.simulator.program


class SolvedGoal(NamedTuple):
    """The oracle's result: the target, the user's goal with its changes, and the events."""

    target: DialogueTarget
    goal: dict[str, Any]
    events: Sequence[Event]


class GoalRun:
    """One goal with its target, given or drawn, numbered among those of the first task.

    The user comes to the tasks in their order. `traits` are names (`read_traits`).
    """

    def __init__(
        self,
        tasks: Sequence[ReadyTask],
        number: int,
        seed: bytes,
        goal: PlayGoal | None = None,
        forbidden: Sequence[str] = (),
        traits: str = "",
    ) -> None:
        self._trait = read_traits(traits, tasks[0].program.language)
        own = tasks[0].goals
        if goal is None and isinstance(tasks[0].simulator, OutsideTask):
            if not own:
                what = "has no flow to draw goals from: state its goals, or name a file by --goals"
                raise tasks[0].program.error(what, "no-flow")
            goal = own[number % len(own)]
        self.tasks, self.number, self._drawn, self.given = tasks, number, seed, goal
        self._forbidden = forbidden
        self.name = str(number + 1) if goal is None else goal.name

    @cached_property
    def target(self) -> DialogueTarget:
        """The target of the goal, else of the oracle; `SchemaError` if these differ."""
        goal = self.given
        if goal is not None and goal.said:
            return DialogueTarget(effects=goal.ends[0], due=goal.due or (), others=goal.ends[1:])
        if goal is not None and isinstance(self.tasks[0].simulator, OutsideTask):
            ends = self._stated_ends(goal)
            return DialogueTarget(effects=ends[0], due=goal.due or (), others=ends[1:])
        oracle = self._reference.target
        if goal is None:
            return oracle
        ends = goal.ends if goal.calls is None else self._stated_ends(goal)
        own = {table: kinds for table, kinds in oracle.effects.items() if table != HAND_OVER}
        if ends and oracle.effects not in ends and own not in ends:
            raise self._wrong(f"is not reached by the oracle, which comes to {oracle.effects}")
        ends += (oracle.effects,) if oracle.effects not in ends else ()
        due = oracle.due if goal.due is None else goal.due
        return DialogueTarget(effects=ends[0], due=due, others=ends[1:])

    def _stated_ends(self, goal: PlayGoal) -> tuple[dict[str, Any], ...]:
        if goal.ends:
            return goal.ends
        if goal.calls is None and goal.due is None:
            raise self._wrong("says neither which calls are expected nor which values are due")
        seat = self.seat(0)
        with self.opened(seat) as bases:
            for call in goal.calls or ():
                try:
                    bases.expect(call)
                except (UnknownNameError, UsageError, SchemaError) as error:
                    raise self._wrong(f"cannot be reached: {error}") from error
            return (bases.changes(),)

    @cached_property
    def _reference(self) -> SolvedGoal:
        kind = "multi" if len(self.tasks) > 1 else "happy"
        return self._solved(SimulatedUsers(f"{kind},{SCRIPTED}"), 0)

    def _instructions(self) -> str:
        oracle, programs = self._reference, [task.program for task in self.tasks]
        names = [program.task for program in programs]
        shares = by_task(names, oracle.events)
        goals = oracle.goal.get("tasks", {names[0]: oracle.goal})
        several = len(programs) > 1
        first = [scenario_texts(programs[0].language).topics] if several else []
        texts = (instructions(p, goals[p.task]["values"], shares[p.task]) for p in programs)
        return "\n".join((*first, *(line for lines in texts for line in lines)))

    def solve(self, user: User, trial: int) -> tuple[DialogueTarget, dict[str, Any]]:
        """Return the oracle's target with a user and their goal; or `SchemaError`."""
        solution = self._solved(user, trial)
        return solution.target, solution.goal

    def _solved(self, user: User, trial: int) -> SolvedGoal:
        seat = self.seat(trial, plain=True)
        events, ended, changed = self._play(OracleAgent(), user, seat, Meter())
        if ended != "completed":
            raise self._wrong(f"has no end: {ended}")
        programs = [task.program for task in self.tasks]
        changed = with_hand_over(programs, events, changed)
        return SolvedGoal(target_of(programs, events, changed), seat.goal, events)

    def _wrong(self, what: str) -> SchemaError:
        return self.tasks[0].program.error(f"goal {self.name} {what}", "bad-goal")

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

        `NoAnswerError` if a server refuses every request, `BudgetError` if the budget is spent.
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

        `changed` are the changes of databases (`OpenedBases.changes`). `happy` is True if the user
        kept to the flow, None if unknown. `recorded` is the goal with changes of
        mind, if it is known.
        """
        inside = not seat.outside and (seat.briefed or happy is None)
        own = self._reference.goal if inside else seat.goal
        wish = own if recorded is None else recorded
        try:
            target = self.target
        except EnvironmentFailureError:
            if not isinstance(ended, Failure):
                raise
            target = DialogueTarget()
        programs = [task.program for task in self.tasks]
        changed = with_hand_over(programs, events, changed)
        verdict = judge(programs, events, ended, target, changed, wish, self._forbidden)
        aim = {**wish, "effects": target.effects, "reported": msgspec.to_builtins(target.due)}
        aim |= {"others": list(target.others)} if target.others else {}
        if self.given is not None:
            aim |= {"database": seat.name}
            aim |= {"state": self.given.state} if self.given.state else {}
        record = {"goal": self.number, "trial": trial, **msgspec.to_builtins(verdict), **costs}
        scenario = Scenario(
            domains=tuple(dict.fromkeys(program.schema.domain for program in programs)),
            capabilities=tuple(task.simulator.capability for task in self.tasks),
            user_task=seat.instructions if seat.briefed else self.seat(0).briefing,
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
            extra={"play": record},
        )

    def agent_seat(self, seat: UserSeat, meter: Meter | None = None) -> AgentSeat:
        """Return the seat of the agent that serves a user."""
        programs = tuple(each.program for each in self.tasks)
        return AgentSeat(programs=programs, seed=seat.wording, meter=meter or Meter())

    @contextmanager
    def opened(self, seat: UserSeat) -> Iterator[OpenedBases]:
        """Yield the databases in their first state; restore them at the end of the block."""
        expected = (self.given.calls or ()) if self.given is not None else ()
        with ExitStack() as stack:
            sessions: dict[TaskProgram, EnvironmentSession] = {}
            for task in self.tasks:
                opened = task.environment.opened(seat.name, expected)
                sessions[task.program] = stack.enter_context(opened)
                self._arrange(task)
            yield OpenedBases(sessions)

    def _arrange(self, task: ReadyTask) -> None:
        """Change a task's rows as the goal states; `SchemaError` if a server has them."""
        state = self.given.state if self.given is not None else {}
        if state and not isinstance(task.environment, KnowledgeBaseEnvironment):
            raise self._wrong("states rows, and those of this environment are its server's")
        if state and isinstance(task.simulator, Simulator):
            base = task.simulator.base
            base.arrange({table: rows for table, rows in state.items() if table in base.tables})

    def _play(
        self, agent: Agent, user: User, seat: UserSeat, meter: Meter
    ) -> tuple[list[Event], Ended | Failure, dict[str, Any]]:
        events: list[Event] = []
        try:
            if seat.outside:
                _ = self.target  # an environment that fails here has no part in a dialogue
            with self.opened(seat) as bases:
                calls = OUTSIDE_CALLS if seat.outside else LIMITS.calls
                limits = replace(LIMITS, turns=len(self.tasks) * LIMITS.turns, calls=calls)
                asking, serving = user.join(seat), agent.join(self.agent_seat(seat, meter))
                acts = agent.reads_acts
                events, ended = play(asking, serving, bases.call, limits, reads_acts=acts)
                lost = isinstance(ended, Failure) and ended.side == "environment"
                return events, ended, {} if lost else bases.changes()
        except EnvironmentFailureError as error:
            turns = sum(isinstance(e, Utterance) and e.agent == USER for e in events)
            return events, failure_of(error, "environment", turns), {}


def spent(**meters: Meter) -> dict[str, Any]:
    """Return side to what it spent, for the sides that spent something."""
    costs = {side: msgspec.to_builtins(each.spent) for side, each in meters.items()}
    costs = {side: cost for side, cost in costs.items() if cost}
    return {"spent": costs} if costs else {}


class OpenedBases:
    """The environments of some tasks during a dialogue."""

    def __init__(self, sessions: Mapping[TaskProgram, EnvironmentSession]) -> None:
        self._sessions = {program.task: session for program, session in sessions.items()}
        self._programs = {c: program for program in sessions for c in program.schema.calls}

    def _session(self, api: str) -> EnvironmentSession:
        check_name("API", api, self._programs)
        return self._sessions[self._programs[api].task]

    def call(self, api: str, constraints: tuple[Constraint, ...]) -> Answer:
        """Make a call of one of the tasks; `UnknownNameError` if none has it.

        `UsageError` for missing or wrong inputs, `EnvironmentFailureError` if the server fails.
        """
        return self._session(api).call(api, constraints)

    def expect(self, call: ExpectedCall) -> Answer:
        """Make a call that a goal expects; `UsageError` if it is refused."""
        check_name("API", call.name, self._programs)
        constraints = constraints_of((self._programs[call.name],), call.name, call.arguments)
        return self.call(call.name, tuple(constraints))

    def repeat(self, api: str, constraints: tuple[Constraint, ...]) -> None:
        """Make a call again that was made when the dialogue was played; skip what cannot be."""
        if api in self._programs:
            self._session(api).repeat(api, constraints)

    def changes(self) -> dict[str, Any]:
        """Return table ("TASK.TABLE" for several tasks) to its changes so far."""
        done = {task: each.changes() for task, each in self._sessions.items()}
        if len(done) == 1:
            return dict(next(iter(done.values())))
        return {f"{task}.{name}": rows for task, own in done.items() for name, rows in own.items()}
