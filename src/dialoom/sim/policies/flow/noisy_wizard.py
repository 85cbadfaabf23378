"""A wizard who deviates from the flow chart: skips replies, repeats questions, types own replies.

    runner = NoisyWizardRunner(program, user, system, seed, rate=0.1)

With the given probability, the wizard leaves out a greeting or a question that no call needs,
repeats an answered question, or types a reply that has no action label (STAR's "custom" replies).
Calls still get all their required inputs.
"""

from __future__ import annotations

import msgspec

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.flow.node import Step
from dialoom.flow.program import TaskProgram
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.digressions import DigressionRates
from dialoom.sim.policies.flow.recorder import FlowRecorder
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.user import FlowUser
from dialoom.sim.policies.flow.verbosity import FINE, Verbosity


class NoisyWizardRunner(FlowRunner):
    """One task in one dialogue, with a wizard who deviates from the flow.

    `rate` is the probability of each kind of deviation at each possible place; the other arguments
    are those of `FlowRunner`.
    """

    __slots__ = ("_noise", "_rate")

    def __init__(
        self,
        program: TaskProgram,
        user: FlowUser,
        system: FlowSystem,
        seed: bytes,
        rate: float,
        verbosity: Verbosity | None = None,
        recorder: FlowRecorder | None = None,
        rates: DigressionRates | None = None,
    ) -> None:
        super().__init__(program, user, system, seed, verbosity, recorder, rates)
        self._rate = round(rate * FINE)
        self._noise = SeededRng(seed, b"wizard_noise")

    def advance(self) -> None:
        """Pass one node, at times without its label (a typed reply) or with its question twice."""
        step, before, events = self.step, self.before, self.recorder.events
        at = len(events)
        super().advance()
        said = events[at] if len(events) == at + 1 else None
        if step is None or step is not self.before or not isinstance(said, Utterance):
            return
        if said.agent == SYSTEM and self._errs():
            events[at] = msgspec.structs.replace(said, layers=())
        answered = said.agent == USER and before is not None and before.asks and not before.reads
        if before is not None and answered and self.step is not None and self._errs():
            self._again(said)

    def _again(self, answer: Utterance) -> None:
        events = self.recorder.events
        earlier = next((e for e in reversed(events[:-1]) if isinstance(e, Utterance)), None)
        if earlier is None or earlier.agent != SYSTEM:
            return
        for said in (earlier, answer):
            events.append(msgspec.structs.replace(said, time=self.recorder.time))
            self.recorder.wait(len(said.text))

    def arrive(self, step: Step) -> Step | None:
        """Return the next node: questions that are answered are passed over, others at times."""
        arrived = super().arrive(step)
        for _ in range(len(self.program.steps)):
            if arrived is None or not self._dispensable(arrived) or not self._errs():
                return arrived
            passed = self._pass(arrived) if arrived.asks else arrived.then[0]
            arrived = None if passed is None else super().arrive(passed)
        return arrived

    def _dispensable(self, step: Step) -> bool:
        """Return True if a reply may be left out: a question no call needs, or a plain reply."""
        if step.kind != "system" or step.reads or step.last or step.node.detail:
            return False
        if step.asks:
            return not step.asks & (self.program.needed | self.program.fixed) and bool(step.users)
        return step.plain and len(step.then) == 1 and step.then[0].kind == "system"

    def _errs(self) -> bool:
        return self._noise.below(FINE) < self._rate
