"""A language's words for services: `lang/…-automaton.json`.

wording("en").role("date", "leaving_date", "Date of departure")    # "date.leave"
wording("en").lists["CONFIRM"]                                      # a template of a list
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from dialoom.schema.lexicon import has_phrase, split_name, texts_of, words


class Concept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"without": "not"}):
    """A meaning of slots whose name has one of `words` and none of those in `without`."""

    name: str
    words: frozenset[str]
    without: frozenset[str] = frozenset()


class SlotRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"without": "not"}):
    """The meaning of slots with certain words in a sentence, such as a place to leave from.

    The words are in a slot's name or description, those in `without` are not. Shapes are text,
    category, count, amount, date, time. `unit` is of a number whose slot's name has none.
    """

    role: str
    shapes: frozenset[str]
    words: tuple[str, ...]
    without: tuple[str, ...] = ()
    unit: str = ""

    def fits(self, text: Sequence[str]) -> bool:
        """Return whether a slot's name or description has this role."""
        match = any(has_phrase(text, word) for word in self.words)
        return match and not any(has_phrase(text, word) for word in self.without)


class FlagRole(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The meaning of yes-no slots with names of a form, such as that a thing is allowed.

    `whole`: the first word belongs to the spoken text.
    """

    role: str
    first: frozenset[str] = frozenset()
    last: frozenset[str] = frozenset()
    endings: tuple[str, ...] = ()
    whole: bool = False

    def cut(self, name: Sequence[str]) -> list[str] | None:
        """Return the words of a name without the role's; None for another role."""
        if self.last:
            return list(name[:-1]) if len(name) > 1 and name[-1] in self.last else None
        has_mark = name[0] in self.first or not (self.first or self.endings)
        if has_mark or (self.endings and name[-1].endswith(self.endings)):
            return list(name if self.whole or len(name) < 2 else name[1:])
        return None


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A template of a sentence that lists slots, with `<list>` for the elements.

    Elements have a value (`<slot>`, `{value}`), yes or none (`yes`), no, or choices (`example`).
    """

    wrap: str
    item: str
    yes: str
    no: str = ""
    example: str = ""


class ActWording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-automaton.json`.

    Attributes:
        system: Act of the system to a template of a sentence.
        lists: Act that lists slots to its template.
        last: Separator before the last element.
        either: Separator before the last of several values to choose from.
        cut: First words that are left out of a spoken name: has, is, …
        of: Words after the head noun of a name ("of" in `date_of_event`).
        roles: Meanings of slots in a sentence; the first one that fits counts.
        flags: The same for yes-no slots.
        prepositions: Words that end the object of an intent's description.
        determiners: Words before an object; the first two are indefinite articles.
        filler: Objects that say nothing.
        vague: Words of descriptions that people do not say.
        participles: Verb to its past participle.
        particles: Words that belong to the verb before them.
        styles: Type of values to the weights of their forms: a pattern, and how often users and
            systems choose a form that matches it and none before it (counted in SGD's training
            files).
        dayparts: Hours, and what is said after and before the times up to them.
        this_month: Text for a month within that month.
        days: Date to what users call it, if today is the first day of SGD's dialogues.
        undated: Preposition before dates that days relative to today do without.
        nouns: Verb to what is made by it; empty if that is the verb's object.
        synonyms: Word of an intent's description to one that people say instead.
        rewordings: Start of an intent's description to how users word it as well.
        where: Prepositions before what something is booked at.
        mine: The determiner of what belongs to the user.
        experienced: Verbs for what users do themselves, and ask nobody to do.
        naming: "name", and its neighbours in the names of slots.
        plurals: Ending of a noun to that of its plural; the first one that fits counts.
        singulars: Ending of a plural to that of the noun.
        words: Number in digits to its word.
        sober: Nouns of things that nobody enjoys: accounts, buses, doctors.
        towns: Words before and after the names of towns.
    """

    system: dict[str, str]
    lists: dict[str, Way]
    between: str
    last: str
    either: str = msgspec.field(name="or")
    cut: frozenset[str]
    of: frozenset[str]
    concepts: tuple[Concept, ...]
    roles: tuple[SlotRole, ...]
    flags: tuple[FlagRole, ...]
    prepositions: frozenset[str]
    determiners: tuple[str, ...]
    filler: frozenset[str]
    vague: frozenset[str]
    participles: dict[str, str]
    particles: frozenset[str]
    styles: dict[str, tuple[tuple[str, int, int], ...]]
    dayparts: tuple[tuple[int, str, str], ...]
    this_month: str
    days: dict[str, tuple[str, ...]]
    undated: str
    nouns: dict[str, str]
    synonyms: dict[str, str]
    rewordings: dict[str, tuple[str, ...]]
    experienced: frozenset[str]
    where: frozenset[str]
    mine: str
    naming: tuple[str, ...]
    plurals: tuple[tuple[str, str], ...]
    singulars: tuple[tuple[str, str], ...]
    words: dict[str, str]
    sober: frozenset[str]
    towns: tuple[tuple[str, ...], tuple[str, ...]]

    def weight(self, kind: str, text: str, side: str) -> int:
        """Return how often a side says a value in a form, compared with other forms."""
        for pattern, user, system in self.styles.get(kind, ()):
            if re.fullmatch(pattern, text):
                return user if side == "user" else system
        return 1

    def role(self, shape: str, name: str, description: str) -> SlotRole | None:
        """Return the role of a slot: by its name, else by its description."""
        for text in (words(" ".join(split_name(name))), words(description)):
            for role in self.roles:
                if shape in role.shapes and role.fits(text):
                    return role
        return None

    def plural(self, noun: str) -> str:
        """Return a noun in the plural; a plural stays as it is."""
        return _replaced(noun, self.plurals)

    def singular(self, noun: str) -> str:
        """Return a noun in the singular."""
        return _replaced(noun, self.singulars)


def _replaced(noun: str, endings: Iterable[tuple[str, str]]) -> str:
    for ending, other in endings:
        if noun.endswith(ending):
            return noun[: len(noun) - len(ending)] + other
    return noun


@lru_cache(maxsize=8)
def wording(language: str = "en") -> ActWording:
    """Return a language's words for services; `UnknownNameError` without any."""
    return texts_of(language, "automaton", "the automaton", ActWording)
