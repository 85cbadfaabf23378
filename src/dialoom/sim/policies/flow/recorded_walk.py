"""A walk along a task's flow with a simulated user, and the record of both sides' acts.

The runner of a simulation is one; a user's digressions (digressions.py) are made in one.
"""

from __future__ import annotations

from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.sim.policies.flow.recorder import PACE, SECOND, FlowRecorder
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.user import FlowUser
from dialoom.sim.policies.flow.walk import FlowWalk


class RecordedWalk(FlowWalk):
    """A walk along one task's flow with a simulated user.

    `recorder` records the events, shared by all the tasks of a dialogue. `done` are the bits of
    slots used in calls that write.
    """

    __slots__ = ("done", "recorder", "user")

    def __init__(
        self, program: TaskProgram, user: FlowUser, system: FlowSystem, recorder: FlowRecorder
    ) -> None:
        super().__init__(program, system)
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
        said = self.system.say(step, state, recorder.time)
        self.asked |= step.asks
        recorder.events.append(said)
        recorder.wait(len(said.text))

    def _call(self, step: Step) -> None:
        recorder = self.recorder
        self._heard = False
        recorder.events += self.system.ask(step, self.state, recorder.time, SECOND)
        if self.program.corrections and step.call is not None and step.settles:
            self.done |= self.program.inputs[step.call.name]
        recorder.wait(PACE)

    def _conclude(self, step: Step) -> None:
        """Apply a result node to the dialogue state: slots it forgets, and values it takes over."""
        self._heard = False
        if step.forget:
            self.user.forget(step, self.state)
        self.state.take(step)
