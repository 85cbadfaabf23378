"""The turns of a simulated user with traits, for a system that is not simulated.

    turns = TraitTurns(runner, wishes, language, trait, unhappy=False)
    turns.say(step)                     # utterances now, and after each of the system's replies

The user's text is worded by the trait's own ways, words are dropped or replaced, and letters
mistyped; the values of the goal stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from dialoom.dialogue import Utterance
from dialoom.flow.node import Step
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.edits import Edit
from dialoom.sim.noise.kind import Draw, NoiseKind, TextKind
from dialoom.sim.noise.noise import KINDS
from dialoom.sim.noise.speech import speech
from dialoom.sim.policies.flow.persons import Trait, overlaid, speech_of
from dialoom.sim.policies.flow.turns import UnhappyTurns, UserRunner
from dialoom.sim.policies.flow.voice import voice_of


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

    def _worded(self, said: Utterance) -> Utterance:
        """Return an utterance in the user's own words; values stay as they are."""
        spoken = speech(self.runner.program.language) if self._changes else None
        for kind, rate in self._changes:
            if spoken is not None:
                said = kind.utterance(said, Draw(self.language, rate, spoken, spare=True))
        return said

    def _slips(self) -> bool:
        return self.wishes.happens(self._trait.slips) or (self._left > 0 and super()._slips())

    def _follows(self, before: Step | None) -> bool:
        """Follow a habit of the user, or of unhappy users, if it fits here."""
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
    listed = "|".join(map(re.escape, phrases))
    for match in re.finditer(rf"(?i)(?P<lead>,? ?)\b(?P<phrase>{listed})\b(?P<rest>,? ?)", text):
        new, (start, end) = swaps.get(match["phrase"].lower()), match.span("phrase")
        if new is not None:
            capital = match["phrase"][0].isupper()
            yield Edit(start, end, new[:1].upper() + new[1:] if capital else new)
        elif match["rest"]:
            yield Edit(start, match.end(), "")
        elif match["lead"]:  # it comes last; alone it stays, since something has to be said
            yield Edit(match.start(), end, "")
