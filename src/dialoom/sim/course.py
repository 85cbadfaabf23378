"""One task's flow under way: what has happened so far, and what happens next.

course = Course(program, user, system, seed)
course.events()                  # the whole dialogue; or, where somebody interferes:
course.begin()
while course.step is not None:
    course.advance(events)
"""

from __future__ import annotations

from dialoom.dialogue import Completion, Event
from dialoom.errors import SchemaError
from dialoom.sim.board import Board
from dialoom.sim.compiled import Program, Step, reads_last
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


class Course:
    """One task in one dialogue.

    Attributes:
        program: The task.
        user: Who wants something.
        system: Who helps.
        board: What both know.
        clock: Milliseconds since the dialogue began.
        step: The node that comes next; None at the end, and before `begin`.
        before: The node that was passed last.
        met: Whether the two have spoken before: of another task in the same dialogue.
        quiet: Whether the user now says no more than the flow has for them.
    """

    __slots__ = (
        "_pauses",
        "_turn",
        "before",
        "board",
        "clock",
        "met",
        "program",
        "quiet",
        "step",
        "system",
        "user",
    )

    def __init__(self, program: Program, user: User, system: System, pauses: bytes) -> None:
        self.program, self.user, self.system = program, user, system
        self.board = Board(program)
        self.clock = 0
        self.step: Step | None = None
        self.before: Step | None = None
        self.met = self.quiet = False
        self._pauses = pauses
        self._turn = 0

    def events(self) -> tuple[Event, ...]:
        """Walk the flow from its first node to its end."""
        events: list[Event] = []
        step = self._arrive(self.program.first)
        for turn in range(MOST_STEPS):
            if step is None:
                events.append(Completion(time=self.clock))
                return tuple(events)
            length = self._act(step, events)
            if length:
                self.wait(length, turn)
            step = step.straight or self._next(step)
        raise self.endless(step)

    def begin(self) -> None:
        """Stand before the first node."""
        self.step = self._arrive(self.program.first)

    def advance(self, events: list[Event]) -> None:
        """Pass one node: add what happens there, and stand before the next.

        Raises:
            SchemaError: The flow does not come to an end.
        """
        step = self.step
        if step is None:
            return
        self._turn += 1
        if self._turn > MOST_STEPS:
            raise self.endless(step)
        length = self._act(step, events)
        if length:
            self.wait(length, self._turn)
        self.before, self.step = step, step.straight or self._next(step)

    def until_user(self, events: list[Event]) -> None:
        """Pass nodes until the user is to speak, or to the end."""
        step, before, turn = self.step, self.before, self._turn
        while step is not None and step.kind != "user":
            turn += 1
            if turn > MOST_STEPS:
                raise self.endless(step)
            length = self._act(step, events)
            if length:
                self.wait(length, turn)
            before, step = step, step.straight or self._next(step)
        self.step, self.before, self._turn = step, before, turn

    def reconsider(self) -> None:
        """Pass over what the next node asks for, if it has come to be known in the meantime."""
        if self.step is not None:
            self.step = self._arrive(self.step)

    def wait(self, length: int, turn: int) -> None:
        """Let as much time pass as it takes to type so many characters."""
        pause = self._pauses[turn % len(self._pauses)] % LONGEST
        self.clock += SECOND * (1 + length // PACE + pause)

    def endless(self, step: Step | None) -> SchemaError:
        """Return the error of a flow that does not end."""
        at = step.name if step is not None else ""
        what = f"a dialogue does not end within {MOST_STEPS} nodes; it is at {at}"
        return self.program.error(what)

    def _act(self, step: Step, events: list[Event]) -> int:
        """Do what a node says; return how many characters somebody had to type."""
        kind, board = step.kind, self.board
        if kind == "user":
            said = self.user.say(step, board, self.clock)
        elif kind == "query":
            events += self.system.ask(step, board, self.clock, SECOND)
            return PACE
        else:
            if step.forget:
                self._forget(step)
            if kind == "result":
                return 0
            said = self.system.say(step, board, self.clock)
        events.append(said)
        return len(said.text) or 1

    def _forget(self, step: Step) -> None:
        user = self.user
        user.goals.renew(user.goal, step.node.forget, user.wishes, user.language)
        self.board.forget(step)

    def _next(self, step: Step) -> Step | None:
        """Return the node that follows, or None at the end."""
        if step.kind == "query":
            outcome = self.board.outcome
            if outcome not in step.outcomes:
                raise self.program.error(f"node {step.name}: no node stands for {outcome!r}")
            return step.outcomes[outcome]
        if step.reads and step.last is not None and not self.system.left(step, self.board):
            return self._arrive(step.last)
        if step.users:
            after = self.user.choose(step, self.board)
            return self._arrive(after) if after.gate else after
        return self._lead(step)

    def _lead(self, step: Step) -> Step | None:
        """Return the node that the system goes on with."""
        then = step.then
        if not then:
            return None
        if len(then) > 1:
            fitting = (after for after in then if self.board.holds(after.when))
            return self._arrive(next(fitting, then[0]))
        return self._arrive(then[0]) if then[0].gate else then[0]

    def _arrive(self, step: Step) -> Step | None:
        """Pass over questions whose answer is known, and turn to the last element's node."""
        board = self.board
        for _ in range(len(self.program.steps) + 1):
            if not step.gate:
                return step
            if step.reads and reads_last(step) and self.system.left(step, board) == 1:
                return step.last
            meant = not step.when or board.holds(step.when)
            if not step.asks or (meant and board.needs(step.asks)):
                return step
            passed = self._pass(step)
            if passed is None:
                return None
            step = passed
        raise self.program.error(f"the questions around {step.name} lead in a circle")

    def _pass(self, step: Step) -> Step | None:
        """Return the node after a question that is passed over and its answer."""
        after = self._answer(step) if step.users else step
        for following in after.then:
            if following.kind == "system" and not self.board.holds(following.when):
                continue
            return following
        return after.then[0] if after.then else None

    def _answer(self, step: Step) -> Step:
        """Return the answer that a question that is passed over would have got."""
        board = self.board
        none = not step.asks & board.known
        fitting = (after for after in step.users if after.node.gives_none == none)
        return next(fitting, step.users[0])
