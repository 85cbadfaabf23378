"""A wizard who does not keep to the flow chart: skips, repeats, and types instead of picking.

    runner = NoisyWizardRunner(program, user, system, seed, rate=0.1)

People who play the system are not as thorough as one. With the given probability they leave out a
greeting or a question that no call needs, ask once more what they have just been told, or type a
reply of their own, which then has no action label (STAR's "custom" replies). Calls still get all
that they must have.
"""

from __future__ import annotations

import msgspec

from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.digressions import DigressionRates
from dialoom.sim.policies.flow.program import Program, Step
from dialoom.sim.policies.flow.recorder import FlowRecorder
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.user import FlowUser
from dialoom.sim.policies.flow.verbosity import FINE, Verbosity


class NoisyWizardRunner(FlowRunner):
    """One task in one dialogue, with a wizard who errs.

    Args:
        program: The task.
        user: Who wants something.
        system: Who helps.
        seed: The dialogue's seed.
        rate: The probability of each kind of slip, at each place where it may occur.
        verbosity: How brief the two are.
        recorder: Where it is recorded.
        rates: How often the user does something beside the flow; None is never.
    """

    __slots__ = ("_noise", "_rate")

    def __init__(
        self,
        program: Program,
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
        """Pass one node, perhaps typing what it says or asking twice."""
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
        """Ask what was answered, and be told once more."""
        events = self.recorder.events
        earlier = next((e for e in reversed(events[:-1]) if isinstance(e, Utterance)), None)
        if earlier is None or earlier.agent != SYSTEM:
            return
        for said in (earlier, answer):
            events.append(msgspec.structs.replace(said, time=self.recorder.time))
            self.recorder.wait(len(said.text))

    def arrive(self, step: Step) -> Step | None:
        """Pass over what is known, and at times over what nobody would miss."""
        arrived = super().arrive(step)
        for _ in range(len(self.program.steps)):
            if arrived is None or not self._dispensable(arrived) or not self._errs():
                return arrived
            passed = self._pass(arrived) if arrived.asks else arrived.then[0]
            arrived = None if passed is None else super().arrive(passed)
        return arrived

    def _dispensable(self, step: Step) -> bool:
        """Whether a reply may be left out: a question that no call needs, or a mere courtesy."""
        if step.kind != "system" or step.reads or step.last or step.node.detail:
            return False
        if step.asks:
            return not step.asks & (self.program.needed | self.program.fixed) and bool(step.users)
        return step.plain and len(step.then) == 1 and step.then[0].kind == "system"

    def _errs(self) -> bool:
        return self._noise.below(FINE) < self._rate
