"""Simulated people: names, traits, speech and typing.

    persons = Persons("impatient,terse+confused", "en")       # those of a run
    person = persons.draw(seed_of(7, 41))                     # name, trait, grammar, typing
    trait = read_traits("impatient,terse", "en")              # several traits as one

A trait has rates of unhappy behaviour, an overlay of the grammar of speech, word changes and rates
of typing. `lang/<language>-persons.json` has the bundled traits, names and typing; a JSON file may
define another trait.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from dialoom.errors import FormatError, MissingDataError, UnknownNameError, UsageError, check_name
from dialoom.schema.lexicon import texts_of
from dialoom.schema.once import once_for_each
from dialoom.schema.slot import SlotType
from dialoom.sim.core.grammar import UNFIT, Grammar, speech
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.noise.noise import KINDS
from dialoom.sim.policies.flow.typing import TypingRates, Typist

Manner = Literal["plain", "brief", "talkative"]
"""Verbosity of a user."""

PLAIN = "plain"
"""Names a person without traits."""

HabitName = Literal["under", "chat", "over", "back", "negation"]
"""Behaviour possible in any turn (`UnhappyUser`): vague answer, chat, over-informing, reference
back, rejection."""


Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability or a rate."""

Weight = Annotated[int, Meta(ge=0)]

Ways = Annotated[dict[str, Weight], Meta(min_length=1)] | Annotated[list[str], Meta(min_length=1)]
"""The ways to say a symbol."""


class Habit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Behaviour of a user in some turns.

    `rate` is its probability in a fitting turn; `user` its text, by default that of unhappy users.
    """

    rate: Share
    user: tuple[str, ...] = ()


class Trait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Traits of a user; None is the usual.

    Attributes:
        prompt: Instruction for a language model in the user's place.
        slips: Probability of a wrong value first, if they can correct it later.
        patience: Number of replies they do not understand before they leave.
        share: How many of a hundred simulated users are like this, if none are named.
        volunteers: Probability that they volunteer values, where they could.
        digress: Factor on the rates of corrections, interruptions and misunderstandings.
        speech: Symbols of the grammar of speech to their ways of saying them.
        drops: Words that they leave out.
        swaps: Phrases to their replacements.
        noise: Kind of noise to its rate (`dialoom perturb`).
    """

    prompt: str
    manner: Manner = "plain"
    habits: dict[HabitName, Habit] = {}
    slips: Share = 0.0
    patience: Annotated[int, Meta(ge=0)] | None = None
    share: Annotated[int, Meta(ge=0, le=100)] = 0
    volunteers: Share | None = None
    digress: Annotated[float, Meta(ge=0)] = 1.0
    speech: dict[str, Ways] = {}
    typing: TypingRates | None = None
    drops: tuple[str, ...] = ()
    swaps: dict[str, str] = {}
    noise: dict[str, Share] = {}


@lru_cache(maxsize=64)
def read_traits(traits: str, language: str) -> Trait | None:
    """Merge comma-separated traits (names or JSON files) into one; None if none is named.

    Raises `UnknownNameError` for unknown traits or languages, `UsageError` for traits that exclude
    each other, `MissingDataError` and `FormatError` for files.
    """
    names = [name.strip() for name in traits.split(",") if name.strip()]
    if not names:
        return None
    return reduce(_joined, (_read(name, language) for name in names))


def _read(name: str, language: str) -> Trait:
    presets = person_texts(language).traits
    if not name.endswith(".json"):
        if name not in presets:
            raise UnknownNameError("trait", name, presets)
        return presets[name]
    file = Path(name)
    try:
        trait = msgspec.json.decode(file.read_bytes(), type=Trait)
        for kind in trait.noise:
            KINDS.module(kind)
        _check_speech(trait, speech_of(language))
    except OSError as error:
        raise MissingDataError(f"{file}: {error.strerror}") from None
    except (msgspec.DecodeError, UnknownNameError) as error:
        raise FormatError(file, f"is no trait: {error}", code=getattr(error, "code", "")) from None
    return trait


def _check_speech(trait: Trait, grammar: Grammar | None) -> None:
    """Raise `UnknownNameError` for a symbol or value that users never say."""
    if grammar is None:
        return
    usual = grammar.places
    new = grammar.overlaid(trait.speech).places - usual
    names = {*grammar.symbols, *(part.symbol for part in new)}
    heads = {tuple(symbol.split("-")[:2]) for symbol in grammar.symbols}
    typed = {first for first, *kind in heads if kind and kind[0] in get_args(SlotType)}
    for symbol in trait.speech:
        plain = symbol.partition("@")[0].removesuffix(UNFIT)
        if plain.partition("-")[0] not in typed:  # these may name the type and slot of a value
            check_name("symbol of speech", plain, names)
    for part in new:
        if part.symbol:
            check_name("symbol of speech", part.symbol, {*grammar.symbols, *trait.speech})
        else:
            check_name("value", part.value, {each.value for each in usual if each.value})


def _joined(one: Trait, other: Trait) -> Trait:
    """Merge two traits: the more frequent habit, the shorter patience, all words."""
    manners = {one.manner, other.manner} - {"plain"}
    if len(manners) > 1:
        raise UsageError(
            "--traits: nobody is both brief and talkative; leave one of them out", code="conflict"
        )
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
        volunteers=next(
            (each.volunteers for each in (other, one) if each.volunteers is not None), None
        ),
        digress=max(one.digress, other.digress),
        speech={**one.speech, **other.speech},
        typing=other.typing or one.typing,
        drops=(*one.drops, *other.drops),
        swaps={**one.swaps, **other.swaps},
        noise={**one.noise, **other.noise},
    )


class PersonTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The persons of one language; one in `SURNAMED` gives a surname. Names have weights."""

    traits: dict[str, Trait]
    names: dict[str, int] = {}
    surnames: tuple[str, ...] = ()
    typing: TypingRates = TypingRates()


SURNAMED = 6
"""One in so many persons also gives a surname: counted in answers of STAR's users."""


@lru_cache(maxsize=8)
def person_texts(language: str) -> PersonTexts:
    """Return the persons of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "persons", "persons", PersonTexts)


def first_names(language: str) -> Collection[str]:
    """Return the first names of a language's persons; none if it has no persons."""
    try:
        return person_texts(language).names
    except UnknownNameError:
        return ()


@lru_cache(maxsize=8)
def speech_of(language: str) -> Grammar | None:
    """Return a language's grammar of speech, if any."""
    try:
        return speech(language)
    except UnknownNameError:
        return None


@once_for_each
def overlaid(trait: Trait, grammar: Grammar) -> Grammar:
    """Return the grammar of a person with a trait (cached)."""
    return grammar.overlaid(trait.speech) if trait.speech else grammar


@dataclass(frozen=True, slots=True)
class Person:
    """One simulated person in one dialogue.

    `name` is empty if the language has no names, `grammar` None if it has no grammar of speech.
    Without a `trait` nothing is special; without a `typist` lines stay as written.
    """

    name: str
    trait: Trait | None
    grammar: Grammar | None
    typist: Typist | None


class Persons:
    """The persons of a run; `UnknownNameError` for unknown traits.

    `named` are traits or JSON files with commas between persons and "+" between the traits of one;
    "plain" has none; empty for the language's own shares. `scripted` keeps the task author's lines
    and names as written.
    """

    def __init__(self, traits: str, language: str, *, scripted: bool = False) -> None:
        self._language, self._scripted = language, scripted
        try:
            texts = person_texts(language)
        except UnknownNameError:
            if traits:
                raise
            texts = PersonTexts({})
        self._texts = texts
        each = [name.strip() for name in traits.split(",") if name.strip()]
        shares: Mapping[str, int] = dict.fromkeys(each, 1)
        if not each:
            shares = {name: trait.share for name, trait in texts.traits.items() if trait.share}
            shares = {**shares, PLAIN: max(0, 100 - sum(shares.values()))}
        self.traits = tuple(
            None if name == PLAIN else read_traits(name.replace("+", ","), language)
            for name in shares
        )
        self._shares = tuple(shares.values())
        base = None if scripted else speech_of(language)
        self._grammars = [
            base if base is None or trait is None else overlaid(trait, base)
            for trait in self.traits
        ]
        names = {} if scripted else texts.names
        self._names = tuple(name for name, many in names.items() for _ in range(many))

    @classmethod
    def alike(cls, trait: Trait | None, language: str) -> Persons:
        """Return persons with the same trait as this one."""
        persons = cls(PLAIN, language)
        persons.traits = (trait,)
        if trait is not None:
            persons._grammars = [g and overlaid(trait, g) for g in persons._grammars]
        return persons

    def draw(self, seed: bytes) -> Person:
        """Return the person of a dialogue."""
        rng = SeededRng(seed, b"person")
        which = rng.weighted(self._shares)
        trait = self.traits[which]
        typing = self._texts.typing if trait is None or trait.typing is None else trait.typing
        typist = None if self._scripted else typing.person(rng, self._language)
        return Person(self._name(rng), trait, self._grammars[which], typist)

    def _name(self, rng: SeededRng) -> str:
        if not self._names:
            return ""
        name = rng.choice(self._names)
        if self._texts.surnames and rng.once_in(SURNAMED):
            name = f"{name} {rng.choice(self._texts.surnames)}"
        return name
