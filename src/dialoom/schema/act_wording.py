"""A language's words for the automaton's acts: `lang/…-automaton.json`.

wording("en").user["SELECT"]       # ("That sounds good.", …)
wording("en").lists["CONFIRM"]     # …
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

from dialoom.schema.lexicon import texts_of


class Concept(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"without": "not"}):
    """What slots of several services mean alike, told by the words of their names."""

    name: str
    words: frozenset[str]
    without: frozenset[str] = frozenset()


class Way(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to list slots: the sentence, and an element with a value, yes, no or anything."""

    wrap: str
    item: str
    yes: str
    no: str = ""
    any: str = ""
    example: str = ""
    own: bool = False


class ActWording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-automaton.json`; lists are ways to say one thing.

    Attributes:
        user: Act of the user to sentences.
        system: Act of the system to sentences.
        carry: Sentences that take values over from another service.
        answer: Answers that are nothing but a value; the three others are for flags and no wish.
        lists: Kind of list of slots to the ways to say it.
        between: What stands between the elements of a list.
        last: What stands before the last one.
        either: What stands before the last one of several values to choose from.
        cut: What the name of a flag may begin with: has, is, …
        of: What follows the head of a name: the date of it.
        concepts: What slots of several services mean alike.
    """

    user: dict[str, tuple[str, ...]]
    system: dict[str, tuple[str, ...]]
    carry: tuple[str, ...]
    answer: tuple[str, ...]
    answer_yes: tuple[str, ...]
    answer_no: tuple[str, ...]
    answer_any: tuple[str, ...]
    lists: dict[str, tuple[Way, ...]]
    between: str
    last: str
    either: str = msgspec.field(name="or")
    cut: frozenset[str]
    of: frozenset[str]
    concepts: tuple[Concept, ...]


@lru_cache(maxsize=8)
def wording(language: str = "en") -> ActWording:
    """Return a language's templates.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "automaton", "the automaton", ActWording)
