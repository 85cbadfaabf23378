"""Traits of users: what a person is like, as data for simulated users and as a prompt for models.

    trait = read_traits("impatient,terse", "en")
    turns = TraitTurns(runner, wishes, language, trait, unhappy=False)
    turns.say(step)                     # what is said now, and after each of the system's replies

A trait has rates of what unhappy users do as well, phrases before and after what is said, and
changes of its words; the values that the goal has stay as they are. `lang/<language>-traits.json`
has those that come with dialoom, and a JSON file may have another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, reduce
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from dialoom.dialogue import Utterance
from dialoom.errors import FormatError, MissingDataError, UnknownNameError, UsageError
from dialoom.flow.node import Step
from dialoom.schema.lexicon import texts_of
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.edits import Edit
from dialoom.sim.noise.kind import Draw, NoiseKind, TextKind
from dialoom.sim.noise.noise import KINDS
from dialoom.sim.noise.speech import speech
from dialoom.sim.policies.flow.digressions import NOTICE
from dialoom.sim.policies.flow.recorder import extended
from dialoom.sim.policies.flow.simulator import Manner
from dialoom.sim.policies.flow.turns import UnhappyTurns, UserRunner

HabitName = Literal["under", "chat", "over", "back", "negation"]
"""What a user may do in any turn: answer vaguely, talk of other things, say more than was asked,
refer back, say what they do not want (`UnhappyUser`)."""


class Habit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a user does in some turns.

    Attributes:
        rate: The probability that a turn in which it fits has it.
        user: What is said then; empty for the words of unhappy users.
    """

    rate: float
    user: tuple[str, ...] = ()


class Trait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user is like.

    Attributes:
        prompt: What a language model in the user's place is told.
        manner: How much they say.
        habits: What they do in some turns.
        slips: The probability that they say a wrong value first, where they can correct it later.
        patience: How many replies they do not understand before they leave; None for the usual.
        before: Phrases before what they say.
        after: Phrases after it.
        drops: Words that they leave out.
        swaps: Phrases to what they say instead.
        noise: Kind of noise to its rate (`dialoom perturb`).
    """

    prompt: str
    manner: Manner = "plain"
    habits: dict[HabitName, Habit] = {}
    slips: float = 0.0
    patience: int | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    swaps: dict[str, str] = {}
    noise: dict[str, float] = {}


@lru_cache(maxsize=64)
def read_traits(named: str, language: str) -> Trait | None:
    """Return several traits as one; None where none is named.

    Args:
        named: Names of traits, or JSON files with one each, with commas between them.
        language: The language of what is said.

    Raises:
        UnknownNameError: There is no such trait, or none for the language.
        UsageError: Two of them do not go together.
        MissingDataError: A file does not exist.
        FormatError: It is no trait.
    """
    names = [name.strip() for name in named.split(",") if name.strip()]
    if not names:
        return None
    known = texts_of(language, "traits", "traits", dict[str, Trait])
    return reduce(_joined, (_read(name, known) for name in names))


def _read(name: str, known: dict[str, Trait]) -> Trait:
    if not name.endswith(".json"):
        if name not in known:
            raise UnknownNameError("trait", name, known)
        return known[name]
    file = Path(name)
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Trait)
        for kind in found.noise:
            KINDS.module(kind)
    except OSError as error:
        raise MissingDataError(f"{file}: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise FormatError(file, f"is no trait: {error}") from None
    return found


def _joined(one: Trait, other: Trait) -> Trait:
    """Return two traits as one: the more frequent habit, the shorter patience, all phrases."""
    manners = {one.manner, other.manner} - {"plain"}
    if len(manners) > 1:
        raise UsageError("--traits: nobody is both brief and talkative; leave one of them out")
    habits = {**one.habits}
    for name, habit in other.habits.items():
        own = habits.get(name, Habit(0.0))
        habits[name] = Habit(max(own.rate, habit.rate), (*own.user, *habit.user))
    limits = [each for each in (one.patience, other.patience) if each is not None]
    return Trait(
        prompt=f"{one.prompt} {other.prompt}",
        manner=next(iter(manners), "plain"),
        habits=habits,
        slips=max(one.slips, other.slips),
        patience=min(limits, default=None),
        before=(*one.before, *other.before),
        after=(*one.after, *other.after),
        drops=(*one.drops, *other.drops),
        swaps={**one.swaps, **other.swaps},
        noise={**one.noise, **other.noise},
    )


class TraitTurns(UnhappyTurns):
    """The turns of a user with traits, happy or unhappy, whose goal stays what it is.

    Args:
        runner: The task, with the user's goal.
        wishes: Draws what the user does.
        language: Draws the wording.
        trait: What the user is like.
        unhappy: Whether they do what unhappy users do besides.
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
        self._trait, self._left = trait, self.many if unhappy else 0
        self.many = -1  # habits have no limit
        words = TextKind("words", "words", 1.0, lambda text, *_: worded(text, trait))
        own: list[tuple[NoiseKind, float]] = [(words, 1.0)] if trait.drops or trait.swaps else []
        self._changes = own + [(KINDS.get(name), rate) for name, rate in trait.noise.items()]

    def say(self, step: Step) -> tuple[Utterance, ...]:
        """Return what the user says at a node, now and after each of the system's replies."""
        return tuple(map(self._worded, super().say(step)))

    def _worded(self, said: Utterance) -> Utterance:
        """Return an utterance in the user's own words; values stay as they are."""
        trait, choice = self._trait, self.language.choice
        if said.layers != NOTICE and (trait.before or trait.after):
            lead, end = (choice(ways) if ways else "" for ways in (trait.before, trait.after))
            said = extended(said, end, before=lead)
        spoken = speech(self.runner.program.language) if self._changes else None
        for kind, rate in self._changes:
            if spoken is not None:
                said = kind.utterance(said, Draw(self.language, rate, spoken, spare=True))
        return said

    def _slips(self) -> bool:
        return self.wishes.happens(self._trait.slips) or (self._left > 0 and super()._slips())

    def _follows(self, before: Step | None) -> bool:
        """Do what the user is in the habit of, or what unhappy users do, if it fits here."""
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
