"""Runs a simulated user and system along the flow of one task.

runner = FlowRunner(user, system, seed)
runner.events()                  # the whole dialogue; or step by step:
runner.begin()
while runner.step is not None:
    runner.until_user()
    runner.turn()
"""

from __future__ import annotations

from collections.abc import Sequence

from dialoom.dialogue import SYSTEM, Act, Event, Span, Utterance
from dialoom.flow.node import Step
from dialoom.schema.lexicon import lexicon
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.flow.digressions import DigressionRates, Digressions
from dialoom.sim.policies.flow.recorder import FlowRecorder, ended
from dialoom.sim.policies.flow.system import FlowSystem
from dialoom.sim.policies.flow.user import FlowUser, Speech, utter
from dialoom.sim.policies.flow.verbosity import FINE, MOST, Verbosity
from dialoom.sim.policies.flow.walk import RecordedWalk

MOST_STEPS = 400
"""Maximum number of nodes in a dialogue: ten times the need of the pack's longest task."""

LATE = MOST_STEPS - 12
"""Number of nodes after which names are kept for the error message of an endless dialogue."""


class FlowRunner(RecordedWalk):
    """One task in one dialogue.

    Args:
        verbosity: Brevity of both; None follows the flow to the letter.
        recorder: Records the events; shared by all the tasks of a dialogue.
        rates: How often the user leaves the flow; None is never.

    Attributes:
        greets: True if the user opens with a greeting alone.
        met: True if another task of the dialogue came before, so that nobody greets again.
        quiet: True while the user volunteers no value.
    """

    __slots__ = ("_brevity", "_digressions", "_skips", "_trail", "_turn", "greets", "met", "quiet")

    def __init__(
        self,
        user: FlowUser,
        system: FlowSystem,
        seed: bytes,
        verbosity: Verbosity | None = None,
        recorder: FlowRecorder | None = None,
        rates: DigressionRates | None = None,
    ) -> None:
        super().__init__(user, system, recorder or FlowRecorder(seed))
        self._turn = 0
        self._trail: list[str] = []
        digressions = rates if self.program.digressive else None
        self._digressions = Digressions(digressions, seed) if digressions is not None else None
        self.met = self.quiet = self.greets = False
        self._brevity = verbosity
        self._skips = SeededRng(seed, b"brief")

    def events(self) -> tuple[Event, ...]:
        """Walk the flow from its first node to its end."""
        self.begin()
        while self.step is not None:
            self.until_user()
            self.turn()
        return self.recorder.finish()

    def begin(self) -> None:
        """Go to the first node; decide if the user greets there and waits for an answer."""
        first, program, verbosity = self.program.first, self.program, self._brevity
        answered = len(first.then) == 1 and first.then[0] in program.opening
        if verbosity is not None and answered and not self.met and first.kind == "user":
            self.greets = self._skips.below(FINE) < verbosity.greets
        self.step = first if self.greets else self.arrive(first)

    def greeting(self) -> str:
        """Return a greeting that states no wish."""
        if self.user.voice is not None:
            return self.user.voice.says("hello")
        spoken = lexicon(self.program.language)
        word = self.user.language.choice(spoken.cues["greeting"])
        # where nouns have capitals, greetings are of nouns ("Guten Tag")
        return word.capitalize() if spoken.capitals else word.title()

    def advance(self) -> None:
        """Pass one node, recording its events; `SchemaError` if the flow does not end."""
        step = self.step
        if step is None:
            return
        self._turn += 1
        if self._turn > LATE:
            self._overrun(step)
        kind = step.kind
        if kind == "user":
            self._speak(step)
        elif kind == "system":
            self._reply(step)
        elif kind == "call":
            self._call(step)
        else:
            self._conclude(step)
        self.move(step)

    def _overrun(self, step: Step) -> None:
        self._trail.append(step.name)
        if self._turn > MOST_STEPS:
            what = f"a dialogue does not end within {MOST_STEPS} nodes; it is at {step.name}"
            raise self.program.error(f"{what}, after {' → '.join(self._trail)}", "endless")

    def turn(self) -> None:
        """Pass a node of the user's, or record a digression in its place."""
        if self._digressions is None or not self._digressions.take_turn(self):
            self.advance()

    def until_user(self) -> None:
        """Pass nodes until the user is to speak, or to the end."""
        while self.step is not None and self.step.kind != "user":
            self.advance()

    def _speak(self, step: Step) -> None:
        """Record the user's utterance; the time passed counts only the text of the flow."""
        state, recorder = self.state, self.recorder
        self._heard = True
        if self.greets and step is self.program.first:
            spoken: Speech = self.greeting(), step.plain_acts, ()
            length = len(spoken[0])
        else:
            volunteered: list[str] = []
            spoken = self.user.speak(step, state, lambda step: self._volunteers(step, volunteered))
            length = len(spoken[0])
            if not spoken[2]:
                spoken = self._volunteer(
                    step, volunteered or self._volunteers(step, volunteered), *spoken
                )
        recorder.events.append(utter(spoken, state, recorder.time))
        recorder.wait(length)

    def _volunteers(self, step: Step, volunteered: list[str]) -> list[str]:
        state, user, bits, skips = self.state, self.user, self.program.bits, self._skips
        untold = step.unasked & user.goal.mask & ~state.known
        rate = self._brevity.volunteering if self._brevity is not None else 0
        silent = not untold or state.asked or self.quiet
        if rate and not silent and skips.below(FINE) < rate:
            slots, at = [s for s in user.goal.said if untold & bits[s]], skips.below(2)
            volunteered += slots[at : at + 1 + skips.below(MOST)] or slots
        return volunteered

    def _volunteer(
        self,
        step: Step,
        slots: Sequence[str],
        text: str,
        acts: tuple[Act, ...],
        spans: tuple[Span, ...],
    ) -> Speech:
        for slot in slots:
            value = self.user.goal.said[slot]
            self.state.give(value)
            text = ended(text)
            added, places = self.sentence(value, len(text))
            text, spans = f"{text}{added}", (*spans, *places)
            acts = (*acts, step.act(value))
        return text, acts, spans

    def sentence(self, value: SurfaceForm, at: int = 0) -> tuple[str, tuple[Span, ...]]:
        """Return a sentence that volunteers a value, and the value's spans; `at` is its offset."""
        line = self.user.unasked(value.slot)
        text, spans = line.fill((value,), at + 1)
        return f" {text}", spans

    @property
    def offered(self) -> bool:
        """True if the system's last turn was a question, other than for anything else.

        Users may leave a courtesy unanswered: 14 % of STAR's dialogues end on a question.
        """
        last = self.recorder.events[-1] if self.recorder.events else None
        is_query = isinstance(last, Utterance) and last.agent == SYSTEM and last.text.endswith("?")
        return is_query and self.before is not None and not self.before.spare

    def leaves_out(self, step: Step) -> bool:
        """Return True if an omissible node is left out this time."""
        verbosity = self._brevity
        if verbosity is None or (not step.asks and self._past(step) is step):
            return False
        rate = verbosity.spared
        if step in self.program.opening:
            if self.met:
                return True
            if self._heard or step.kind == "user":  # a wish is answered without a greeting
                rate = verbosity.polite if self.greets else verbosity.direct
        elif step.kind == "user" and self.offered:
            return False
        return self._skips.below(FINE) < rate
