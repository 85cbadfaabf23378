"""The words of drawn tasks: `lang/…-worlds.json`."""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class SlotWordings(msgspec.Struct, frozen=True):
    """Questions for slots of a kind, answers with a value, answers without one."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    none: tuple[str, ...] = ()


class WorldWords(msgspec.Struct, frozen=True):
    """One language's words.

    Attributes:
        first: First names of people, `last` their last names, separated by blanks.
        greetings: Openings, and the user's wish by itself or with an answer.
        kinds: Kind of slot to its wordings.
        slots: Slot to its kind, noun, and values or limits.
        facts: Output of a call to its noun, and values or limits.
        worlds: Domain to its thing, the verbs of wishes, slots and outputs.
        said: Templates of the system by purpose.
        users: Templates of the user by purpose.
    """

    first: str
    last: str
    greetings: dict[str, tuple[str, ...]]
    kinds: dict[str, SlotWordings]
    slots: dict[str, tuple[str | int, ...]]
    facts: dict[str, tuple[str | int, ...]]
    worlds: dict[str, tuple[str, str, str, str]]
    said: dict[str, tuple[str, ...]]
    users: dict[str, tuple[str, ...]]


@cache
def world_words(language: str = "en") -> WorldWords:
    """Return the words of a language that has some."""
    file = resources.files("dialoom").joinpath("lang", f"{language}-worlds.json")
    return msgspec.json.decode(file.read_bytes(), type=WorldWords)
