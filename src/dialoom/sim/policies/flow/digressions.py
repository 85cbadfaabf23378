"""What users do beside the flow where the task file lets them: correct, interrupt, go unheard.

    digressions = Digressions(HAPPY, seed)
    if not digressions.end(runner):      # before a turn of the user
        runner.advance()

A correction gives a slot another value. The flow goes on from the question for it, as if that had
just been answered, or from one that is still open: what is known is passed over, calls are made
again. All is drawn from numbers of its own, so that a dialogue without a digression is the same at
any rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Layer, Part
from dialoom.errors import UsageError
from dialoom.schema.actions import OUT_OF_SCOPE
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.program import Step
from dialoom.sim.policies.flow.user import utter
from dialoom.sim.policies.flow.verbosity import FINE

if TYPE_CHECKING:
    from dialoom.sim.policies.flow.runner import FlowRunner

LONGEST = 3
"""Words that are heard of what is not understood, at most."""

MOST = 4
"""Corrections and interruptions of a user in one task, at most."""

LIKELIEST = 0.5
"""The largest probability of anything beside the flow: a dialogue is to come to its end."""

MOST_OFTEN = 100
"""The largest factor that the rates are multiplied by."""

NOTICE = (Layer(GOLD, (Part(None, (Act(OUT_OF_SCOPE),)),)),)
"""The annotation of what is beside the task: it leads nowhere in the flow."""


@dataclass(frozen=True, slots=True)
class DigressionRates:
    """How often users do something beside the flow; each figure is a probability.

    Attributes:
        correct: At a turn, they give another value to what they said before.
        interrupt: At a turn, they say what may be said at any time.
        unheard: At a turn, they are not understood.
        again: Who was not understood is not understood once more.
    """

    correct: float
    interrupt: float
    unheard: float
    again: float

    def times(self, factor: float) -> DigressionRates:
        """Return rates that are so many times as high; users are unheard again as often.

        Raises:
            UsageError: The factor is out of range.
        """
        if not 0 <= factor <= MOST_OFTEN:
            raise UsageError(f"digressions are from 0 to {MOST_OFTEN} times as many, not {factor}")

        def often(rate: float) -> float:
            return min(LIKELIEST, rate * factor)

        return DigressionRates(
            often(self.correct), often(self.interrupt), often(self.unheard), self.again
        )


HAPPY = DigressionRates(correct=0.018, interrupt=0.005, unheard=0.009, again=0.05)
"""Rates of STAR's happy dialogues (docs/simulation.md tells how they were counted)."""

UNHAPPY = DigressionRates(correct=0.0, interrupt=0.009, unheard=0.015, again=0.05)
"""Likewise of its unhappy ones; corrections are what these users are instructed to make."""

MULTI = DigressionRates(correct=0.005, interrupt=0.004, unheard=0.014, again=0.05)
"""Likewise of its dialogues of several tasks."""

THOROUGH = DigressionRates(correct=0.15, interrupt=0.02, unheard=0.05, again=0.5)
"""So often that some hundred dialogues show all that a task has beside its flow."""

STAGES: Mapping[str, DigressionRates] = {"happy": HAPPY, "unhappy": UNHAPPY, "multi": MULTI}
"""Kind of dialogue to its rates."""


class Digressions:
    """What one user does beside the flow of a task.

    Args:
        rates: How often.
        seed: The dialogue's seed.
    """

    __slots__ = ("_left", "_rates", "_rng")

    def __init__(self, rates: DigressionRates, seed: bytes) -> None:
        self._rates, self._left = rates, MOST
        self._rng = SeededRng(seed, b"beside")

    def end(self, runner: FlowRunner) -> bool:
        """Let something happen before a turn of the user, if it does; tell whether it takes that.

        Args:
            runner: The task under way, before a node of the user's.
        """
        program, before, step = runner.program, runner.before, runner.step
        if step is None or step in program.closing or before is None or before.kind != "system":
            return False
        rates, happens = self._rates, self._happens
        if program.apology is not None and happens(rates.unheard):
            return self._mumble(runner, step, program.apology)
        if not self._left:
            return False
        if program.corrections and happens(rates.correct):
            possible = corrections(runner, before)
            if possible and correct(runner, *self._rng.choice(possible), before):
                self._left -= 1
                return True
        if program.anytime and happens(rates.interrupt):
            self._left -= 1
            runner.step = self._rng.choice(program.anytime)
        return False

    def _happens(self, rate: float) -> bool:
        """Tell whether something of a probability happens this time."""
        return self._rng.below(FINE) < rate * FINE

    def _mumble(self, runner: FlowRunner, step: Step, apology: Step) -> bool:
        """Say what nobody understands, and be told so; too often, and the flow goes elsewhere."""
        state, recorder = runner.state, runner.recorder
        words = " ".join(self._rng.choice(step.lines).literals).split()
        for unheard in range(1, apology.node.not_understood + 1):
            heard = words[: 1 + self._rng.below(LONGEST)]
            recorder.aside(USER, " ".join((*heard, "…")), NOTICE)
            asked = state.asked
            said = runner.system.say(apology, state, recorder.time)
            state.asked = asked
            recorder.aside(SYSTEM, said.text, said.layers)
            if unheard == apology.node.not_understood:
                runner.move(apology)
                return True
            if not self._happens(self._rates.again):
                break
        return False


def corrections(runner: FlowRunner, before: Step) -> list[tuple[Step, tuple[str, ...]]]:
    """Return the corrections that fit now, each with its slots whose value can still be another.

    What a call has changed something with is done. There must be a question to go on from. While a
    list is read out nothing fits.

    Args:
        runner: The task under way.
        before: The node that was passed last.
    """
    if before.kind != "system" or before.reads:
        return []
    state, goals, bits = runner.state, runner.user.goals, runner.program.bits
    wanted = runner.user.goal.said
    free = state.known & ~runner.done & ~state.asked
    free &= -1 if state.needs(before.asks) else runner.asked
    found = []
    for step in runner.program.corrections:
        known = [s for s in step.node.corrects if s in state.said and free & bits[s]]
        slots = tuple(s for s in known if s in wanted and goals.domain(s) is not None)
        if slots:
            found.append((step, slots))
    return found


def correct(runner: FlowRunner, correction: Step, slots: tuple[str, ...], before: Step) -> bool:
    """Give slots other values, and go on from the question for the first of them.

    Args:
        runner: The task under way.
        correction: The node that says it.
        slots: The slots.
        before: What the system said last.

    Returns:
        Whether there was something else to say.
    """
    user, state, program = runner.user, runner.state, runner.program
    changed = user.goals.exchange(user.goal, slots, user.wishes, user.language)
    if not changed:
        return False
    state.drop(changed)
    state.asked = 0
    spoken = user.speak(correction, state)
    runner.recorder.events.append(utter(spoken, state, runner.recorder.time))
    runner.recorder.wait(len(spoken[0]))
    asked = (program.mask(changed) & runner.asked) | state.needs(before.asks)
    question = next(each for each in program.steps.values() if each.asks & asked)
    runner.before = correction
    runner.step = runner.arrive(question)
    return True
