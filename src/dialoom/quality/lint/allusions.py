"""Values that a text states in other words: a yes or no, a number, another spelling or form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import OSA

from dialoom.dialogue.annotation import Value
from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.values.numbers import spoken_forms
from dialoom.schema.values.text import whole_number

TRUTHS = frozenset({"yes", "no", "true", "false"})
"""The values of slots that are so or not (MultiWOZ, SGD): a mention of the slot gives its value."""

LONG = 5
"""Least letters of a word that may be spelled with one letter more, less, other or exchanged:
center and centre. Shorter words are too often other words."""

IDEOGRAPHS = "\u2e80"
"""The first character of Unicode's blocks of Chinese and Japanese, which have no blanks between
words: a blank in a value is between several values."""

SHORT = 3
"""Least letters of a word that is a part of a slot's name: day, area, price."""

_WORD = re.compile(r"\w+")
_TIME = re.compile(r"[0-9]{1,2}:[0-9]{2}")


def alluded(slot: str, values: Sequence[Value], texts: Sequence[str], language: str = "en") -> bool:
    """True if one of some texts speaks of one of a slot's values without its very words."""
    tokens = [_WORD.findall(text.casefold()) for text in texts]
    if any(str(value).casefold() in TRUTHS for value in values):
        name = set(split_name(slot.rpartition("-")[2]))
        if any(not name.isdisjoint(words) for words in tokens):
            return True
    texts_joined = list(map(_joined, texts))
    wholes = (whole for whole in map(_joined, values) if len(whole) >= LONG)
    if any(whole in text for whole in wholes for text in texts_joined):
        return True
    numbers = [n for value in values if (n := whole_number(str(value))) is not None]
    ways = [way for number in numbers for way in spoken_forms(number, lexicon(language))]
    ways += [_halfday(value) for value in values if _TIME.fullmatch(str(value))]
    sought = [_WORD.findall(str(value).casefold()) for value in (*values, *ways)]
    if any(_spelled(value, words) for value in sought for words in tokens if value):
        return True
    folded = [text.casefold() for text in texts]
    several = [value for value in sought if max(map(max, value), default="") >= IDEOGRAPHS]
    return any(all(word in text for word in value) for value in several for text in folded)


def _halfday(time: Value) -> str:
    """Return a time of the other half of the day, which is said alike."""
    hour, minute = str(time).split(":")
    return f"{(int(hour) + 12) % 24}:{minute}"


def _joined(value: Value) -> str:
    """Return the letters of a value without what is between its words."""
    return "".join(_WORD.findall(str(value).casefold()))


def _spelled(value: list[str], words: list[str]) -> bool:
    """True if some words contain those of a value, in another spelling."""
    starts = range(len(words) - len(value) + 1)
    return any(all(map(_same, value, words[start : start + len(value)])) for start in starts)


def _same(one: str, other: str) -> bool:
    if one == other or (one.isdecimal() and other.isdecimal() and int(one) == int(other)):
        return True
    return min(len(one), len(other)) >= LONG and OSA.distance(one, other, score_cutoff=1) <= 1


def described(slot: str, text: str) -> bool:
    """True if a text speaks of a slot by its name, as "the same area" does, and no value."""
    name = "".join(split_name(slot.rpartition("-")[2])).casefold()
    words = [word for word in _WORD.findall(text.casefold()) if len(word) >= SHORT]
    return any(name.startswith(word) or name.endswith(word) for word in words)


def normal_form(values: Sequence[Value], texts: Sequence[str]) -> str:
    """Return which Unicode normal forms keep a value apart from a text; empty if none do."""
    for value in (value for value in values if isinstance(value, str)):
        for text in texts:
            if _composed(value) in _composed(text):
                return f"the text is {_form(text)}, the state {_form(value)}"
    return ""


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _form(text: str) -> str:
    forms = [form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)]
    return " and ".join(forms) or "neither NFC nor NFD"
