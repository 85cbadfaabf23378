"""Turns of users that leave the flow: corrections, interruptions and unintelligible utterances.

    digressions = Digressions(HAPPY, seed)
    if not digressions.take_turn(runner):      # before a turn of the user
        runner.advance()

They occur if the task file has nodes for them (`corrects`, `anytime`, `not_understood`). A
correction gives a slot another value. The flow then resumes at the question for that slot or an
open one, skips filled slots and repeats calls. Digressions have their own random generator, so that
dialogues without a digression are the same at any rate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Layer, Part
from dialoom.errors import UsageError
from dialoom.flow.node import Step
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.user import utter
from dialoom.sim.policies.flow.verbosity import FINE
from dialoom.sim.policies.flow.walk import RecordedWalk

LONGEST = 3
"""Most words in the text of an utterance that is not understood."""

MOST = 4
"""Most corrections and interruptions of a user in one task."""

LIKELIEST = 0.5
"""Upper limit of a rate after scaling, so that dialogues still come to an end."""

MOST_OFTEN = 100
"""Upper limit of the factor that rates are scaled by."""

NOTICE = (Layer(GOLD, (Part(None, (Act(OUT_OF_SCOPE),)),)),)
"""The annotation of an utterance outside the task: the out-of-scope act."""


@dataclass(frozen=True, slots=True)
class DigressionRates:
    """Probabilities of digressions per user turn.

    The user changes an earlier value (`correct`), says a line of an `anytime` node (`interrupt`),
    or is not understood (`unheard`), and then not the next time either (`again`).
    """

    correct: float
    interrupt: float
    unheard: float
    again: float

    @lru_cache(maxsize=256)  # noqa: B019 (rates are few values, not objects of dialogues)
    def times(self, factor: float) -> DigressionRates:
        """Return the rates times a factor, `again` excepted; `UsageError` outside 0 to
        `MOST_OFTEN`.
        """
        if not 0 <= factor <= MOST_OFTEN:
            raise UsageError(
                f"digressions are from 0 to {MOST_OFTEN} times as many, not {factor}",
                code="out-of-range",
            )

        def often(rate: float) -> float:
            return min(LIKELIEST, rate * factor)

        return DigressionRates(
            often(self.correct), often(self.interrupt), often(self.unheard), self.again
        )


HAPPY = DigressionRates(correct=0.018, interrupt=0.005, unheard=0.009, again=0.05)
"""Rates of STAR's happy dialogues (docs/how-to/simulation.md explains the counts)."""

UNHAPPY = DigressionRates(correct=0.0, interrupt=0.009, unheard=0.015, again=0.05)
"""Likewise of its unhappy ones; corrections are what these users are instructed to make."""

MULTI = DigressionRates(correct=0.005, interrupt=0.004, unheard=0.014, again=0.05)
"""Likewise of its dialogues of several tasks."""

THOROUGH = DigressionRates(correct=0.15, interrupt=0.02, unheard=0.05, again=0.5)
"""Rates high enough for some hundred dialogues to reach every digression node of a task."""

STAGES: Mapping[str, DigressionRates] = {"happy": HAPPY, "unhappy": UNHAPPY, "multi": MULTI}
"""Kind of dialogue to its rates."""


class Digressions:
    """Draws and carries out the digressions of one user in one task."""

    __slots__ = ("_left", "_rates", "_rng")

    def __init__(self, rates: DigressionRates, seed: bytes) -> None:
        self._rates, self._left = rates, MOST
        self._rng = SeededRng(seed, b"beside")

    def take_turn(self, runner: RecordedWalk) -> bool:
        """Draw a digression before a user's turn; return True if it has replaced that turn."""
        program, before, step = runner.program, runner.before, runner.step
        if step is None or step in program.closing or before is None or before.kind != "system":
            return False
        rates, happens = self._rates, self._happens
        if program.apology is not None and happens(rates.unheard):
            return self._misunderstand(runner, step, program.apology)
        if not self._left:
            return False
        if program.corrections and happens(rates.correct):
            possible = corrections(runner, before)
            if possible and correct(runner, *self._rng.choice(possible)):
                self._left -= 1
                return True
        if program.anytime and happens(rates.interrupt):
            self._left -= 1
            runner.step = self._rng.choice(program.anytime)
        return False

    def _happens(self, rate: float) -> bool:
        return self._rng.below(FINE) < rate * FINE

    def _misunderstand(self, runner: RecordedWalk, step: Step, apology: Step) -> bool:
        """Record misunderstood utterances, with apologies; True at the maximum of attempts."""
        state, recorder, voice = runner.state, runner.recorder, runner.user.voice
        words = " ".join(self._rng.choice(step.lines).literals).split()
        for unheard in range(1, apology.node.not_understood + 1):
            fragment = " ".join((*words[: 1 + self._rng.below(LONGEST)], "…"))
            recorder.aside(USER, fragment if voice is None else voice.says("unheard"), NOTICE)
            question = state.asked
            reply = runner.system.say(apology, state, recorder.time)
            state.asked = question
            recorder.aside(SYSTEM, reply.text, reply.layers)
            if unheard == apology.node.not_understood:
                runner.move(apology)
                return True
            if not self._happens(self._rates.again):
                break
        return False


def corrections(runner: RecordedWalk, before: Step) -> list[tuple[Step, tuple[str, ...]]]:
    """Return the possible correction nodes, each with the slots that can still be changed.

    A slot cannot be changed after a call that writes has used it, nor without a question to go on
    from. None fits while a list is read out. `before` is the previous node.
    """
    if before.kind != "system" or before.reads:
        return []
    state, goals, bits = runner.state, runner.user.goals, runner.program.bits
    wishes = runner.user.goal.said
    free = state.known & ~runner.done & ~state.asked
    free &= -1 if state.needs(before.asks) else runner.asked
    options = []
    for step in runner.program.corrections:
        names = [s for s in step.node.corrects if s in state.said and free & bits[s]]
        slots = tuple(s for s in names if s in wishes and goals.domain(s) is not None)
        if slots:
            options.append((step, slots))
    return options


def correct(runner: RecordedWalk, correction: Step, slots: tuple[str, ...]) -> bool:
    """Change slots and resume at the first one's question; False, unrecorded, if no values fit."""
    user, state = runner.user, runner.state
    changed = user.goals.exchange(user.goal, slots, user.wishes, user.language)
    if not changed:
        return False
    state.drop(changed)
    state.asked = 0
    spoken = user.speak(correction, state)
    runner.recorder.events.append(utter(spoken, state, runner.recorder.time))
    runner.recorder.wait(len(spoken[0]))
    runner.resume(correction, changed)
    return True
