"""Drawn slots of a task: type and values, question and answers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from dialoom.schema.lexicon import texts_of
from dialoom.sim.core.rng import SeededRng


class SlotWordings(msgspec.Struct, frozen=True):
    """Questions for slots of a kind, answers with a value, answers without one."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    none: tuple[str, ...] = ()


class ServiceWordings(msgspec.Struct, frozen=True):
    """How drawn services, their slots and their intents are named and described.

    `names` and `descriptions` map a kind of slot to ways to name it, "any" those of other kinds.
    `find` and `do` name intents that search and book, `about` describes the service. `said` maps a
    noun or kind to what users say around a value.
    """

    adjectives: str
    names: dict[str, tuple[str, ...]]
    descriptions: dict[str, tuple[str, ...]]
    find: tuple[str, ...]
    do: tuple[str, ...]
    about: tuple[str, ...]
    said: dict[str, str]


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
        services: The wordings of services in SGD's layout.
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
    services: ServiceWordings


@cache
def world_words(language: str = "en") -> WorldWords:
    """Return the words of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "worlds", "worlds", WorldWords)


def with_article(thing: str) -> str:
    """Return an English noun after "a" or "an"."""
    return f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}"


Node = dict[str, Any]
"""A node, slot or table as a task file has it."""

TEMPLATES = 5
"""Least templates of a user node."""

MOST_NAMES = 10

DAYS = ("2021-03-01", "2021-11-30")
"""The first and the last of days without limits of their own."""


class DrawnSlot(msgspec.Struct):
    """A slot of a drawn task.

    Attributes:
        kind: The key of its wordings.
        noun: Its description in texts.
        node: Its entry in the task file.
        optional: True if the user may have no wish for it.
        instead: The slots that are asked for if the user does not know this one.
        way: True if it is one of two ways to prove who the user is.
        required: True if the call requires it; flows may ask for what no call requires.
    """

    name: str
    kind: str
    noun: str
    node: Node
    optional: bool = False
    instead: tuple[str, ...] = ()
    way: bool = False
    required: bool = True

    @property
    def column(self) -> str:
        """The name of the call's input."""
        return "".join(word.capitalize() for word in self.name.split("_"))


class SlotDrawer:
    """Draws slots and their texts; `rng` draws all of a task."""

    def __init__(self, words: WorldWords, rng: SeededRng) -> None:
        self.words, self.rng = words, rng

    def slot(self, name: str) -> DrawnSlot:
        """Return a slot of the word lists, or the user's own name."""
        if name == "name":
            return DrawnSlot(name, "self", "name", self._person("the user's full name"))
        kind, noun, *limits = self.words.slots[name]
        noun = str(noun)
        node: Node = {"description": f"the {noun}"}
        if kind == "person":
            node = self._person(f"the name of the {noun}")
        elif kind in ("choice", "secret"):
            values = self.some(str(limits[0]).split("; "), 3)
            node |= {"type": "category", "values": {value: [] for value in values}}
        elif kind == "text":
            node |= {"type": "long text", "examples": str(limits[0]).split("; ")}
        elif kind == "flag":
            node |= {"type": "boolean"}
        elif kind == "date":
            first, last = limits or DAYS
            node |= {"type": "date", "from": first, "to": last, "step": 1}
        elif kind == "time":
            node |= {"type": "time", "from": "08:00", "to": "20:00", "step": 30}
        else:
            low, high = limits
            if kind == "number":
                node = {"description": f"how many {noun}"}
            node |= {"type": "integer", "minimum": low, "maximum": high}
            node |= {"type": "amount", "step": 10, "unit": "dollars"} if kind == "amount" else {}
        return DrawnSlot(name, str(kind), noun, node)

    def _person(self, description: str) -> Node:
        first, last = (text.split() for text in (self.words.first, self.words.last))
        pairs = zip(self.some(first, MOST_NAMES), self.some(last, MOST_NAMES), strict=False)
        people = [f"{one} {two}" for one, two in pairs]
        return {"type": "short text", "description": description, "examples": people}

    def some(self, values: Sequence[str], least: int) -> list[str]:
        """Return at least so many of the values, in random order."""
        least = min(least, len(values))
        return self.rng.shuffle(list(values))[: least + self.rng.below(len(values) - least + 1)]

    def questions(self, slot: DrawnSlot) -> list[str]:
        """Return one or two wordings of the question."""
        texts = self.some(self.words.kinds[slot.kind].questions, 1)[:2]
        return [text.replace("{noun}", slot.noun) for text in texts]

    def answers(self, slot: DrawnSlot, *, none: bool = False) -> list[str]:
        """Return wordings of an answer, those without a value if `none`."""
        kind = self.words.kinds[slot.kind]
        texts = self.some(kind.none if none else kind.answers, TEMPLATES)
        return [self.answer(slot, text) for text in texts]

    def answer(self, slot: DrawnSlot, text: str) -> str:
        """Return a wording of the slot's answer."""
        return text.replace("{noun}", slot.noun).replace("{v}", f"{{{slot.name}}}")
