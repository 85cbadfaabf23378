"""How a service's slots and intents are spoken of: kinds of values and phrases, from `lang/`.

    words = ServiceWords("en")
    words.kind(ServiceSlot(name="leaving_date"))         # {"type": "date", "from": …, "to": …}
    words.ask(0, "leaving_date", optional=False)         # "Which leaving date would you like?"

A published service names its slots and says no more: what values a slot that is no category takes
is read off the words of its name and description, and sentences are made of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec

from dialoom.schema.lexicon import lexicon, split_name, texts_of, words
from dialoom.schema.service import ServiceIntent, ServiceSlot
from dialoom.schema.values import sayable

_JOINT = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")

_MARKS = str.maketrans(dict.fromkeys("{}<>", " "))
"""What stands for something in texts: braces and the marks of phrases."""

_LONGEST_VALUE = 200
"""Characters of a value that a task file may have."""

_LONGEST = 90
"""Characters of a description that still fit into a sentence."""


class NamedKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"least": "from"}):
    """What kind of values slots have whose names have certain words."""

    words: tuple[str, ...]
    type: str
    examples: tuple[str, ...] = ()
    least: str | None = None
    to: str | None = None
    unit: str | None = None
    minimum: int | float | None = None
    maximum: int | float | None = None
    step: int | float | None = None

    def spec(self) -> dict[str, Any]:
        """Return what a task file says of such a slot."""
        said = msgspec.json.decode(msgspec.json.encode(self)).items()
        return {key: held for key, held in said if key != "words" and held not in (None, [])}


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a call that books tells its outcome: the output's name and its two values."""

    name: str
    done: str
    failed: str


class ServicePhrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-services.json`; lists are ways to say one thing."""

    kinds: tuple[NamedKind, ...]
    any: tuple[str, ...]
    yes_no: tuple[tuple[str, str], ...]
    none: tuple[str, ...]
    verbs: frozenset[str]
    use: str
    outcome: Outcome
    hello: tuple[str, ...]
    wish: tuple[str, ...]
    ask: tuple[str, ...]
    ask_yes_no: tuple[str, ...]
    ask_optional: tuple[str, ...]
    give: tuple[str, ...]
    give_yes_no: tuple[str, ...]
    none_given: tuple[str, ...]
    sum_up: tuple[str, ...]
    confirm: tuple[str, ...]
    confirm_bare: tuple[str, ...]
    yes: tuple[str, ...]
    change: tuple[str, ...]
    told: tuple[str, ...]
    told_bare: tuple[str, ...]
    taken: tuple[str, ...]
    nothing: tuple[str, ...]
    anew: tuple[str, ...]
    leave: tuple[str, ...]
    booked: tuple[str, ...]
    booked_bare: tuple[str, ...]
    failed: tuple[str, ...]
    retry: tuple[str, ...]
    more: tuple[str, ...]
    finish: tuple[str, ...]
    goodbye: tuple[str, ...]
    out_of_scope: tuple[str, ...]
    user_questions: tuple[str, ...]
    wizard_questions: tuple[str, ...]


@lru_cache(maxsize=8)
def phrases(language: str = "en") -> ServicePhrases:
    """Return the phrases of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    return texts_of(language, "services", "services", ServicePhrases)


class ServiceWords:
    """The words for one service in one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.phrases = phrases(language)
        self._spoken = lexicon(language)
        self._verbs = self.phrases.verbs | self._spoken.verbs

    def is_yes_no(self, slot: ServiceSlot) -> bool:
        """Tell whether a slot's possible values are true and false, or yes and no."""
        found = sorted(str(value).casefold() for value in slot.possible_values)
        return any(found == sorted(pair) for pair in self.phrases.yes_no)

    def kind(self, slot: ServiceSlot) -> dict[str, Any]:
        """Return what a task file says of a slot's values."""
        if slot.categorical and self.is_yes_no(slot):
            return {"type": "boolean"}
        if slot.categorical and (listed := self._values(slot)):
            return {"type": "category", "values": listed}
        for text in (spoken_name(slot.name), slot.description or ""):
            for kind in self.phrases.kinds:
                if any(_says(text, word) for word in kind.words):
                    return self._known(slot, kind.spec())
        return self._known(slot, {"type": "short text", "examples": list(self.phrases.any)})

    def _known(self, slot: ServiceSlot, spec: dict[str, Any]) -> dict[str, Any]:
        """Put the possible values of a slot in the place of examples that are made up."""
        values = [*self._values(slot)] if "examples" in spec else []
        return spec | {"examples": values} if values else spec

    def _values(self, slot: ServiceSlot) -> dict[str, list[str]]:
        """The possible values that can be said, numbers with their words."""
        named = {str(number): word for word, number in self._spoken.numbers.items()}
        texts: dict[str, str] = {}
        for value in map(str, slot.possible_values):
            # what nobody can say, or tell from another value, is no value of a task file
            if value.strip() and value.isprintable() and len(value) <= _LONGEST_VALUE:
                texts.setdefault(value.casefold(), value)
        taken, texts = set(texts), dict.fromkeys(texts.values(), "")
        variants = {text: named.get(text) or _apart(text, self.language) for text in texts}
        return {
            text: [said] if said and said.casefold() not in taken else []
            for text, said in variants.items()
        }

    def intent(self, intent: ServiceIntent) -> str:
        """Return an intent as what one wants to do: "make a reservation", "find bus"."""
        described = printable(intent.description or "").rstrip(". ")
        first = next(iter(words(described)), "")
        # a brace would be taken for a placeholder
        if first in self._verbs and len(described) <= _LONGEST and not {*"{}<>"} & {*described}:
            return described[:1].lower() + described[1:]
        name = spoken_name(intent.name)
        if next(iter(words(name)), "") in self._verbs:
            return name
        return self.phrases.use.replace("<name>", name)


def _apart(value: str, language: str) -> str | None:
    """Return how a value is said that cannot be said as it is written: 3d as 3 d."""
    if sayable(value, language):
        return None
    return _JOINT.sub(" ", value).replace("_", " ")


def _says(text: str, word: str) -> bool:
    found = words(text)
    parts = word.split()
    return any(found[n : n + len(parts)] == parts for n in range(len(found)))


def fill(texts: Iterable[str], **values: str) -> list[str]:
    """Put values for <names> into texts, which then begin with a capital letter."""
    filled = []
    for text in texts:
        for name, value in values.items():
            text = text.replace(f"<{name}>", value)
        filled.append(text[:1].upper() + text[1:])
    return filled


def spoken_name(name: str) -> str:
    """Return a slot's name as words; of a dotted one the kind comes last.

    >>> spoken_name("leaving_date"), spoken_name("FindBus"), spoken_name("name.movie")
    ('leaving date', 'find bus', 'movie name')
    """
    parts = (words(" ".join(split_name(part))) for part in reversed(name.split(".")))
    said = " ".join(word for part in parts for word in part)
    return said or printable(name.translate(_MARKS)) or "-"


def printable(text: str) -> str:
    """Return a text on one line, without what cannot be printed."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
