"""Single turns of a simulated user, for a system that is not simulated.

    runner = UserRunner(user, system, seed)
    runner.say(step)                     # (Utterance(…),)

    turns = UnhappyTurns(runner, wishes, language)
    turns.say(step)                      # utterances now, and after the next reply

An unhappy user reaches the same goal as a happy one: they make small talk, answer vaguely, say more
than they are asked for, or say a wrong value first and correct it before a call needs it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from dialoom.dialogue import USER, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.flow.node import Step
from dialoom.schema.values.forms import SurfaceForm
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.kind import Draw, Edit, NoiseKind, TextKind
from dialoom.sim.noise.noise import KINDS
from dialoom.sim.noise.speech import speech
from dialoom.sim.policies.flow.persons import Trait, overlaid, speech_of
from dialoom.sim.policies.flow.runner import FlowRunner
from dialoom.sim.policies.flow.scenario_texts import InstructionKind
from dialoom.sim.policies.flow.unhappy import UnhappyUser
from dialoom.sim.policies.flow.voice import voice_of

SLIPS = 3
"""An unhappy user says a wrong value in one of so many turns in which a correction would fit."""


class UserRunner(FlowRunner):
    """Lets the user speak at a node, and goes no further."""

    __slots__ = ()
    put_off = False
    """True if the user said something else than the node's lines, so that the node comes again."""

    def move(self, step: Step) -> None:
        """Go past the user's node without choosing a successor."""
        self.before, self.step = step, None

    def say(self, step: Step) -> tuple[Utterance, ...]:
        """Return the user's utterances at a node."""
        at = len(self.recorder.events)
        self.step = step
        self.advance()
        return said_since(self, at)


class UnhappyTurns(UnhappyUser):
    """The turns of one unhappy user, whose goal is the same at the end."""

    runner: UserRunner
    put_off = False
    _slip: tuple[SurfaceForm, SurfaceForm] | None = None

    def say(self, step: Step) -> tuple[Utterance, ...]:
        """Return the user's utterances at a node, now and after each of the system's replies."""
        runner, at = self.runner, len(self.recorder.events)
        runner.step, self.put_off = step, False
        if self._slip is not None:
            self._correct_slip(*self._slip)
        elif (wrong := self._wrong(step)) is not None:
            self._err(wrong)
        else:
            self._turn(step)
        return said_since(runner, at)

    def _wrong(self, step: Step) -> SurfaceForm | None:
        runner = self.runner
        state, goal, program = runner.state, runner.user.goal, runner.program
        if state.api:  # from the first call on, values are used at once
            return None
        bits = state.asked & step.gives & goal.mask & ~state.known & ~self.fixed & ~goal.wrong
        slots = [slot for slot in goal.said if bits & program.bits[slot] and self._early(slot)]
        slots = [slot for slot in slots if slot in program.sentences or self._corrections(slot)]
        if not slots or not self._slips():
            return None
        slot = self.wishes.choice(slots)
        domain = self.runner.user.goals.domain(slot)
        if domain is None:
            return None
        value = domain.at(self.wishes.below(domain.size))
        values = {name: form.canonical for name, form in goal.said.items()}
        broken = next(program.schema.broken({**values, slot: value}), None)
        return None if broken or value == values[slot] else program.words.forms(slot, value)[0]

    def _slips(self) -> bool:
        return self.wishes.once_in(SLIPS)

    def _early(self, slot: str) -> bool:
        """Return True if every call with a slot still needs another slot to be asked for."""
        program, facts = self.runner.program, self.runner.state.known
        bit = program.bits[slot]
        for step in program.steps.values():
            if any(entry.slot == slot for entry in step.inputs):
                needed = program.mask(h.slot for h in step.inputs if h.required and h.operator)
                if not needed & program.asked & ~facts & ~bit:
                    return False
        return True

    def _corrections(self, slot: str) -> list[Step]:
        bit, steps = self.runner.program.bits[slot], self.runner.program.corrections
        return [step for step in steps if any(line.slots == bit for line in step.lines)]

    def _err(self, wrong: SurfaceForm) -> None:
        goal = self.runner.user.goal
        right = goal.said[wrong.slot]
        goal.said[wrong.slot] = wrong
        self.runner.advance()
        goal.said[wrong.slot] = right
        if self.runner.state.said.get(wrong.slot) is wrong:
            self._slip = wrong, right
            changes = goal.record.setdefault("changes", [])
            changes += [{wrong.slot: wrong.canonical}, {right.slot: right.canonical}]

    def _correct_slip(self, wrong: SurfaceForm, right: SurfaceForm) -> None:
        self._slip = None
        runner, own = self.runner, self._corrections(right.slot)
        if own:
            self.put_off = True
            runner.state.drop((right.slot,))
            runner.step = self.wishes.choice(own)
            runner.advance()
            return
        kind = self.texts.kinds["change"]
        text = self._changed(kind, wrong, right)
        self._answer(kind, text, right)

    def _back(self, kind: InstructionKind, before: Step | None) -> bool:
        """Repeat a value said before, unless the node takes values back."""
        step = self.runner.step
        return step is not None and not step.forget and super()._back(kind, before)

    def _refuse(self, slot: str, value: Value) -> None:
        """Note nothing: the user's goal is the same with every agent."""

    def _change(self, kind: InstructionKind, before: Step | None) -> bool:
        """Change nothing: the user's goal is the same with every agent."""
        return False


def said_since(runner: FlowRunner, at: int) -> tuple[Utterance, ...]:
    """Return the user's utterances from event `at` on."""
    events = runner.recorder.events[at:]
    return tuple(e for e in events if isinstance(e, Utterance) and e.agent == USER)


class TraitTurns(UnhappyTurns):
    """The turns of a user with traits, happy or unhappy, whose goal never changes.

    `wishes` draws the user's acts, `language` the wording. With `unhappy`, they also act as unhappy
    users do.
    """

    def __init__(
        self,
        runner: UserRunner,
        wishes: SeededRng,
        language: SeededRng,
        trait: Trait,
        *,
        unhappy: bool,
    ) -> None:
        super().__init__(runner, wishes, language)
        grammar = speech_of(runner.program.language)
        if grammar is not None and trait.speech and trait.manner != "brief":
            voice = voice_of(runner.program, overlaid(trait, grammar), language)
            runner.user.voice = voice
        self._trait, self._left = trait, self.many if unhappy else 0
        self.many = -1  # habits have no limit
        words = TextKind("words", "words", 1.0, lambda text, *_: worded(text, trait))
        own: list[tuple[NoiseKind, float]] = [(words, 1.0)] if trait.drops or trait.swaps else []
        self._changes = own + [(KINDS.get(name), rate) for name, rate in trait.noise.items()]

    def say(self, step: Step) -> tuple[Utterance, ...]:
        """Return the user's utterances at a node, now and after each of the system's replies."""
        return tuple(map(self._worded, super().say(step)))

    def _worded(self, turn: Utterance) -> Utterance:
        spoken = speech(self.runner.program.language) if self._changes else None
        for kind, rate in self._changes:
            if spoken is not None:
                turn = kind.utterance(turn, Draw(self.language, rate, spoken, spare=True))
        return turn

    def _slips(self) -> bool:
        return self.wishes.happens(self._trait.slips) or (self._left > 0 and super()._slips())

    def _follows(self, before: Step | None) -> bool:
        for name, habit in self._trait.habits.items():
            if self.wishes.happens(habit.rate):
                kind = self.texts.kinds[name]
                kind = replace(kind, user=habit.user) if habit.user else kind
                if self.follow(name, kind, before):
                    return True
        if self._left <= 0 or not super()._follows(before):
            return False
        self._left -= 1
        return True


def worded(text: str, trait: Trait) -> Iterator[Edit]:
    """Yield the edits that leave out words and put phrases in place of others."""
    swaps = {phrase.lower(): new for phrase, new in trait.swaps.items()}
    phrases = sorted((*swaps, *(word.lower() for word in trait.drops)), key=len, reverse=True)
    pattern = "|".join(map(re.escape, phrases))
    for match in re.finditer(rf"(?i)(?P<lead>,? ?)\b(?P<phrase>{pattern})\b(?P<rest>,? ?)", text):
        new, (start, end) = swaps.get(match["phrase"].lower()), match.span("phrase")
        if new is not None:
            capital = match["phrase"][0].isupper()
            yield Edit(start, end, new[:1].upper() + new[1:] if capital else new)
        elif match["rest"]:
            yield Edit(start, match.end(), "")
        elif match["lead"]:  # it comes last; alone it stays, since something has to be said
            yield Edit(match.start(), end, "")
