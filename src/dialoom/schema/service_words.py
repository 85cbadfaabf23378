"""Texts about a service's slots and intents (from `lang/`), and their names in a task file.

A published service has only names and descriptions: the type of a slot that is not categorical is
derived from the words of both, and so are the sentences.

Slots and nodes of task files are lower_snake_case, of at most `LONGEST_NAME` characters; inputs and
columns keep the service's spelling where an API's name may have it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from dialoom.schema.lexicon import has_phrase, lexicon, split_name, texts_of, words
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.values import sayable
from dialoom.schema.yaml.scalars import LONGEST_NAME

_JOINT = re.compile(r"(?<=\d)(?=[A-Za-z])|(?<=[a-z])(?=[A-Z])")

_NUMBERED = re.compile(r"(.+?)_\d+")

_MARKS = str.maketrans(dict.fromkeys("{}<>", " "))
"""Characters with a meaning in phrases, removed from values: braces and angle brackets."""

_LONGEST_VALUE = 200
"""Most characters of a value in a task file."""

_LONGEST = 90
"""Most characters of a description that is used within a sentence."""


class NamedKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"least": "from"}):
    """The type of slots whose names or descriptions have certain words."""

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
        """Return the keys of a task file for such a slot."""
        fields = msgspec.json.decode(msgspec.json.encode(self)).items()
        return {key: value for key, value in fields if key != "words" and value not in (None, [])}


class Outcome(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The output of a booking that shows its outcome: its name, and its value for each outcome."""

    name: str
    done: str
    failed: str


class ServicePhrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-services.json`; of several texts any may be used."""

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
    found: tuple[str, ...]
    found_bare: tuple[str, ...]
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
    """Return a language's phrases for services; `UnknownNameError` without any."""
    return texts_of(language, "services", "services", ServicePhrases)


class ServiceWords:
    """The texts and slot types for one service in one language."""

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self.phrases = phrases(language)
        self._spoken = lexicon(language)
        self._verbs = self.phrases.verbs | self._spoken.verbs

    def is_yes_no(self, slot: ServiceSlot) -> bool:
        """True if a slot's possible values are true and false, or yes and no."""
        values = sorted(str(value).casefold() for value in slot.possible_values)
        return any(values == sorted(pair) for pair in self.phrases.yes_no)

    def kind(self, slot: ServiceSlot) -> dict[str, Any]:
        """Return the keys of a task file for a slot's type and values."""
        if slot.categorical and self.is_yes_no(slot):
            return {"type": "boolean"}
        if slot.categorical and (values := self._values(slot)):
            return {"type": "category", "values": values}
        for text in map(words, (spoken_name(slot.name), slot.description or "")):
            for kind in self.phrases.kinds:
                if any(has_phrase(text, word) for word in kind.words):
                    return self._known(slot, kind.spec())
        return self._known(slot, {"type": "short text", "examples": list(self.phrases.any)})

    def _known(self, slot: ServiceSlot, spec: dict[str, Any]) -> dict[str, Any]:
        """Return the keys with the slot's possible values instead of invented examples."""
        values = [*self._values(slot)] if "examples" in spec else []
        return spec | {"examples": values} if values else spec

    def _values(self, slot: ServiceSlot) -> dict[str, list[str]]:
        numerals = {str(number): word for word, number in self._spoken.numbers.items()}
        texts: dict[str, str] = {}
        for value in map(str, slot.possible_values):
            # empty, unprintable, long and (ignoring case) duplicate values are left out
            if value.strip() and value.isprintable() and len(value) <= _LONGEST_VALUE:
                texts.setdefault(value.casefold(), value)
        keys, texts = set(texts), dict.fromkeys(texts.values(), "")
        variants = {text: numerals.get(text) or _apart(text, self.language) for text in texts}
        return {
            text: [variant] if variant and variant.casefold() not in keys else []
            for text, variant in variants.items()
        }

    def intent(self, intent: ServiceIntent) -> str:
        """Return an intent as a verb phrase: "make a reservation", "find bus"."""
        described = printable(intent.description or "").rstrip(". ")
        first = next(iter(words(described)), "")
        # a brace would be read as a placeholder
        if first in self._verbs and len(described) <= _LONGEST and not {*"{}<>"} & {*described}:
            return described[:1].lower() + described[1:]
        name = spoken_name(intent.name)
        if next(iter(words(name)), "") in self._verbs:
            return name
        return self.phrases.use.replace("<name>", name)


def _apart(value: str, language: str) -> str | None:
    """Return the spoken form of a value that differs from its spelling (3d: 3 d), else None."""
    if sayable(value, language):
        return None
    return _JOINT.sub(" ", value).replace("_", " ")


def fill(texts: Iterable[str], **values: str) -> list[str]:
    """Return texts with values in place of <names>, each beginning with a capital letter."""
    filled = []
    for text in texts:
        for name, value in values.items():
            text = text.replace(f"<{name}>", value)
        filled.append(text[:1].upper() + text[1:])
    return filled


def domain_of(service: str) -> str:
    """Return a service's domain: its name without the number that SGD gives it."""
    match = _NUMBERED.fullmatch(service)
    return match[1] if match else service


def spoken_name(name: str) -> str:
    """Return a slot's name as words; the last part of a dotted name comes first.

    >>> spoken_name("leaving_date"), spoken_name("FindBus"), spoken_name("name.movie")
    ('leaving date', 'find bus', 'movie name')
    """
    parts = (words(" ".join(split_name(part))) for part in reversed(name.split(".")))
    phrase = " ".join(word for part in parts for word in part)
    return phrase or printable(name.translate(_MARKS)) or "-"


def printable(text: str) -> str:
    """Return a text on one line, without unprintable characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


_PREFIX = 26
"""Most characters of a node's name that are taken from its intent."""


def snake(name: str) -> str:
    """Return a name in lower_snake_case.

    >>> snake("FindRestaurants"), snake("Banks_1"), snake("2nd stop")
    ('find_restaurants', 'banks_1', 'n_2nd_stop')
    """
    symbol = "_".join(re.findall(r"[a-z0-9]+", "_".join(split_name(name)).lower()))[:LONGEST_NAME]
    return symbol if symbol[:1].isalpha() else f"n_{symbol}"[:LONGEST_NAME].rstrip("_")


def spelled(name: str) -> str:
    """Return a name that an API may have: letters, digits and underscores, a letter first."""
    symbol = re.sub(r"[^A-Za-z0-9_]", "_", name)[:LONGEST_NAME]
    return symbol if symbol[:1].isalpha() else f"n_{symbol}"[:LONGEST_NAME]


class ServiceNames:
    """The names in a task file of one service's slots, intents and nodes.

    The title has no number. The caller that makes the slots fills `types`.
    """

    def __init__(self, name: str, service: Service) -> None:
        self.title = re.sub(r"[\d_]+$", "", name) or name
        arguments = dict.fromkeys(slot for intent in service.intents for slot in intent.inputs)
        returned = dict.fromkeys(slot for intent in service.intents for slot in intent.results)
        self.slots = _unique(arguments, snake)
        self.columns = _unique({**arguments, **returned}, spelled)
        self.apis = _unique((intent.name for intent in service.intents), spelled)
        self.types: dict[str, Any] = {}
        prefixes = _unique(self.apis, lambda intent: snake(intent)[:_PREFIX].rstrip("_"))
        self._prefixes: Mapping[str, str] = prefixes
        self._required = {slot for intent in service.intents for slot in intent.required}
        self._nodes: dict[tuple[str, ...], str] = {}

    def is_open(self, slot: str) -> bool:
        """True if a user may have no preference for a slot: no intent requires it."""
        return slot not in self._required

    def node(self, intent: ServiceIntent, *parts: str) -> str:
        """Return the name of a node: of its intent, then `parts` (such as "ask" and a slot)."""
        key = (intent.name, *parts)
        if key not in self._nodes:
            whole = "_".join([self._prefixes[intent.name], *(snake(part) for part in parts)])
            others = {*self._nodes.values(), "hello", "finish", "goodbye"}
            self._nodes[key] = free(whole[:LONGEST_NAME].rstrip("_"), others)
        return self._nodes[key]


def _unique(names: Iterable[str], spell: Any) -> dict[str, str]:
    spellings: dict[str, str] = {}
    for name in names:
        spellings.setdefault(name, free(spell(name), set(spellings.values())))
    return spellings


def free(name: str, names: set[str]) -> str:
    """Return a name, cut to `LONGEST_NAME`, with a number appended if it is in `names`."""
    number, candidate = 1, name[:LONGEST_NAME]
    while candidate in names:
        number += 1
        ending = f"_{number}"
        candidate = name[: LONGEST_NAME - len(ending)] + ending
    return candidate
