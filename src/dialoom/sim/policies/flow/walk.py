"""The position in a task's flow: the previous node and the next one.

    walk.step = walk.arrive(program.first)
    walk.move(step)                # past a node: it becomes walk.before, its successor walk.step

The runner of a simulation and the agent that follows a flow are both such walks; they differ in how
the user's choices are decided, and in which nodes may be left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from dialoom.flow.cursor import FlowCursor, answers, likely, need
from dialoom.flow.node import Step
from dialoom.sim.policies.flow.recorder import PACE, SECOND, FlowRecorder
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.user import FlowUser


class FlowWalk(FlowCursor):
    """A walk along one task's flow.

    The system speaks and makes the calls; both sides share the state. `step` is the next node, None
    at the end and before the beginning; `asked` are the bits of slots whose question has come, or
    was skipped.
    """

    __slots__ = ("_heard", "asked", "state", "step", "system")

    def __init__(self, system: FlowSystem) -> None:
        self.system, self.state = system, DialogueState(system.program)
        super().__init__(system.program, self.state)
        self.step: Step | None = None
        self.asked = 0
        self._heard = False

    @property
    def before(self) -> Step | None:
        """The node that was passed last."""
        return self.at[0] if self.at else None

    @before.setter
    def before(self, step: Step | None) -> None:
        self.at = () if step is None else (step,)

    def move(self, step: Step) -> None:
        """Go past a node, to the one that follows it."""
        after = step.straight or self._next(step)
        self.at = (step,)
        self.step = self.arrive(after) if after is not None and after.gate else after

    def reconsider(self) -> None:
        """Skip the next node if it asks for a slot that was filled in the meantime."""
        if self.step is not None:
            self.step = self.arrive(self.step)

    def resume(self, correction: Step, changed: Iterable[str]) -> None:
        """Go on after a correction, at the question for its changed or open slots."""
        left = self.state.needs(self.before.asks) if self.before is not None else 0
        slots = (self.program.mask(changed) & self.asked) | left
        self.before = correction
        question = next((each for each in self.program.steps.values() if each.asks & slots), None)
        if question is not None:
            self.step = self.arrive(question)

    def choose(self, step: Step) -> Step:
        """Return which of the user's turns comes after a node that several may follow."""
        return step.users[0]

    def leaves_out(self, step: Step) -> bool:
        """Return True if an omissible node is left out this time."""
        return False

    def _next(self, step: Step) -> Step | None:
        if step.kind == "call":
            outcome = self.state.outcome
            if outcome not in step.outcomes:
                raise self.program.error(f"node {step.name}: no node stands for {outcome!r}")
            return likely(step.outcomes[outcome], self.state)[0]
        if step.reads and step.last is not None and not self.system.left(step, self.state):
            return step.last
        return self.choose(step) if step.users else self._likely(step)

    def arrive(self, step: Step) -> Step | None:
        """Return the next node: the given one, or its replacement.

        Questions with filled slots are skipped, and omissible nodes if `leaves_out` says so; a
        list's last element has a node of its own. `SchemaError` if skipped nodes form a loop.
        """
        state = self.state
        following: Step | None = step
        for _ in self.program.detours:
            if following is None or not following.gate:
                return following
            step = following
            if step.reads and step.reads_last and self.system.left(step, state) == 1:
                step = step.last or step
            elif step.asks and need(step, state) != "needed":
                following = self._pass(step)
                continue
            if not (step.spare and self.leaves_out(step)):
                return step
            following = self._past(step)
        what = f"the questions around {step.name} lead in a circle"
        raise self.program.error(what, "endless")

    def _past(self, step: Step) -> Step | None:
        if step.asks:
            return self._pass(step)
        return step.past_user if self._heard else step.past

    def _pass(self, step: Step) -> Step | None:
        self.asked |= step.asks
        replies = answers(step, self.state)
        return self._likely(replies[0] if replies else step)

    def _likely(self, step: Step) -> Step | None:
        return likely(step.then, self.state)[0] if step.then else None


class RecordedWalk(FlowWalk):
    """A walk along one task's flow with a simulated user.

    `recorder` records the events, shared by all the tasks of a dialogue. `done` are the bits of
    slots used in calls that write.
    """

    __slots__ = ("done", "recorder", "user")

    def __init__(self, user: FlowUser, system: FlowSystem, recorder: FlowRecorder) -> None:
        super().__init__(system)
        self.user, self.recorder = user, recorder
        self.done = 0

    def choose(self, step: Step) -> Step:
        """Let the user choose."""
        return self.user.choose(step, self.state)

    def _reply(self, step: Step) -> None:
        state, recorder = self.state, self.recorder
        self._heard = False
        if step.forget:
            self.user.forget(step, state)
        utterance = self.system.say(step, state, recorder.time)
        self.asked |= step.asks
        recorder.events.append(utterance)
        recorder.wait(len(utterance.text))

    def _call(self, step: Step) -> None:
        recorder = self.recorder
        self._heard = False
        recorder.events += self.system.ask(step, self.state, recorder.time, SECOND)
        if self.program.corrections and step.call is not None and step.settles:
            self.done |= self.program.inputs[step.call.name]
        recorder.wait(PACE)

    def _conclude(self, step: Step) -> None:
        self._heard = False
        if step.forget:
            self.user.forget(step, self.state)
        self.state.take(step)
