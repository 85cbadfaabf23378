"""One dialogue after another: two agents exchange acts along the flow of a task.

    simulator = Simulator(task, seed=7)
    dialogue = simulator.dialogue(41)

Nothing here knows a task or a word: who speaks next is the flow's, what is said are its templates,
what is true is the knowledge base's. A dialogue is a function of the task, the seed and its index.

The scenario's goal keeps what the user wanted at first (`values`, `rounds`), what they changed it
to (`changes`) and what the dialogue did to the knowledge base (`effects`). `kb.replay` with the
run's seed and the dialogue's id as its name gives the same results and effects.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import Capability, Completion, Dialogue, Event, Scenario
from dialoom.kb import KnowledgeBase
from dialoom.schema.task import Task
from dialoom.sim.board import Board
from dialoom.sim.compiled import Program, Step, reads_last
from dialoom.sim.compiling import compile_task
from dialoom.sim.goal import HAPPY, Goals, Habits
from dialoom.sim.stream import Stream, seed_of
from dialoom.sim.system import System
from dialoom.sim.user import User

MOST_STEPS = 400
"""Nodes that a dialogue passes at most: ten times what the longest task of the pack needs."""

SECOND = 1000
"""Times are whole seconds, as STAR's are, in milliseconds."""

LONGEST = 5
"""Seconds below which people think before they type."""

PACE = 8
"""Characters that a person types in a second."""


class Simulator:
    """Simulates the dialogues of one task over one knowledge base."""

    def __init__(self, task: Task, seed: int, habits: Habits = HAPPY) -> None:
        self.program = compile_task(task)
        self._seed = seed
        self._base = KnowledgeBase()
        self._base.populate(self.program.design, seed)
        tables = self._base.snapshot().tables
        rows = {name: list(held.values()) for name, held in tables.items()}
        self._goals = Goals(self.program, rows, habits)
        design = self.program.design
        self._scenario: dict[str, Any] = {
            "domains": (design.domain,),
            "capabilities": (Capability(task.id, design.domain),),
            "user_task": design.description or None,
            "happy": True,
            "multi_task": False,
        }

    def dialogue(self, index: int) -> Dialogue:
        """Return dialogue `index` of the run.

        Raises:
            SchemaError: The flow does not come to an end, or asks for what cannot be.
        """
        seed = seed_of(self._seed, index)
        wishes, language = Stream(seed, b"goal"), Stream(seed, b"language")
        goal = self._goals.draw(wishes, language)
        name = str(index + 1)
        user = User(self.program, self._goals, goal, wishes, language)
        system = System(self.program, self._base, language)
        with self._base.dialogue(name) as session:
            events = _Run(self.program, user, system, seed).events()
            effects = session.difference().data()
        if effects:
            goal.record["effects"] = effects
        scenario = Scenario(**self._scenario, goal=goal.record)
        return Dialogue(id=name, events=events, scenario=scenario, provenance="simulated")


class _Run:
    """One dialogue in the making."""

    __slots__ = ("_board", "_clock", "_pauses", "_program", "_system", "_user")

    def __init__(self, program: Program, user: User, system: System, pauses: bytes) -> None:
        self._program, self._user, self._system = program, user, system
        self._board = Board(program)
        self._pauses = pauses
        self._clock = 0

    def events(self) -> tuple[Event, ...]:
        """Walk the flow from its first node to its end."""
        events: list[Event] = []
        step = self._arrive(self._program.first)
        for turn in range(MOST_STEPS):
            if step is None:
                events.append(Completion(time=self._clock))
                return tuple(events)
            length = self._act(step, events)
            if length:
                pause = self._pauses[turn % len(self._pauses)] % LONGEST
                self._clock += SECOND * (1 + length // PACE + pause)
            step = step.straight or self._next(step)
        at = step.name if step is not None else ""
        raise self._program.error(
            f"a dialogue does not end within {MOST_STEPS} nodes; it is at {at}"
        )

    def _act(self, step: Step, events: list[Event]) -> int:
        """Do what a node says; return how many characters somebody had to type."""
        kind, board = step.kind, self._board
        if kind == "user":
            said = self._user.say(step, board, self._clock)
        elif kind == "query":
            events += self._system.ask(step, board, self._clock, SECOND)
            return PACE
        else:
            if step.forget:
                self._forget(step)
            if kind == "result":
                return 0
            said = self._system.say(step, board, self._clock)
        events.append(said)
        return len(said.text) or 1

    def _forget(self, step: Step) -> None:
        user = self._user
        user.goals.renew(user.goal, step.node.forget, user.wishes, user.language)
        self._board.forget(step)

    def _next(self, step: Step) -> Step | None:
        """Return the node that follows, or None at the end."""
        if step.kind == "query":
            outcome = self._board.outcome
            if outcome not in step.outcomes:
                raise self._program.error(f"node {step.name}: no node stands for {outcome!r}")
            return step.outcomes[outcome]
        if step.reads and step.last is not None and not self._system.left(step, self._board):
            return self._arrive(step.last)
        if step.users:
            return self._user.choose(step, self._board)
        return self._lead(step)

    def _lead(self, step: Step) -> Step | None:
        """Return the node that the system goes on with."""
        then = step.then
        if not then:
            return None
        if len(then) > 1:
            fitting = (after for after in then if self._board.holds(after.when))
            return self._arrive(next(fitting, then[0]))
        return self._arrive(then[0]) if then[0].gate else then[0]

    def _arrive(self, step: Step) -> Step | None:
        """Pass over questions whose answer is known, and turn to the last element's node."""
        board = self._board
        for _ in range(len(self._program.steps) + 1):
            if not step.gate:
                return step
            if step.reads and reads_last(step) and self._system.left(step, board) == 1:
                return step.last
            meant = not step.when or board.holds(step.when)
            if not step.asks or (meant and board.needs(step.asks)):
                return step
            passed = self._pass(step)
            if passed is None:
                return None
            step = passed
        raise self._program.error(f"the questions around {step.name} lead in a circle")

    def _pass(self, step: Step) -> Step | None:
        """Return the node after a question that is passed over and its answer."""
        after = self._answer(step) if step.users else step
        for following in after.then:
            if following.kind == "system" and not self._board.holds(following.when):
                continue
            return following
        return after.then[0] if after.then else None

    def _answer(self, step: Step) -> Step:
        """Return the answer that a question that is passed over would have got."""
        board = self._board
        none = not step.asks & board.known
        fitting = (after for after in step.users if after.node.gives_none == none)
        return next(fitting, step.users[0])
