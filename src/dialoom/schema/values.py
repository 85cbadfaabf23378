"""Typed values: find them in what people say, parse them, render them.

    day = Parameter(name="Day", type="Categorical", categories=["Monday", "Tuesday"])
    find("could we say tuesday?", day)   # (Mention("Tuesday", 13, 20),)
    parse("half past tuesday", day)      # "Tuesday"

What a parameter accepts is read off its listed values rather than its name: values that are all
hours make it a time, ordinals a date, anything else a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Literal

import msgspec
from rapidfuzz import fuzz

from dialoom.schema.lexicon import Lexicon, lexicon, words
from dialoom.schema.task import Parameter

Kind = Literal["time", "ordinal", "choice", "number", "boolean", "name", "text"]
"""How a parameter's values are said: hours, days of a month, one of a list, and so on."""

NUMBERS, BOOLEANS = frozenset({"Integer", "Float", "Number"}), frozenset({"Boolean"})
NAMES = frozenset({"ShortString"})
"""Type names, as STAR's API descriptions print them."""

CLOSE = 86
"""The least similarity of two words, of 100, that counts as a misspelling: one letter in seven."""

_NUMBER = re.compile(r"(?<![\w.:])(\d{1,9}(?:,\d{3})*)(?![\w]|:\d)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class Mention(msgspec.Struct, frozen=True):
    """A value that characters `start` to `end` of a text express."""

    value: Any
    start: int
    end: int


def find(text: str, parameter: Parameter, language: str = "en") -> tuple[Mention, ...]:
    """Return the values of a parameter that a text mentions, in the order they are said.

    Names and free text have no form of their own and are never found.
    """
    what = kind(parameter, language)
    if what == "time":
        return tuple(_listed_hours(text, parameter, language))
    if what == "ordinal":
        return tuple(_listed_ordinals(text, parameter, language))
    if what == "number":
        return tuple(_numbers(text, parameter, language))
    if what == "boolean":
        return tuple(_booleans(text, language))
    return tuple(_choices(text, parameter, language)) if what == "choice" else ()


def parse(text: str, parameter: Parameter, language: str = "en") -> Any:
    """Return the first value of a parameter that a text mentions, or None.

    A name or free text is taken as it stands.
    """
    if kind(parameter, language) in ("name", "text"):
        return text.strip() or None
    return next((mention.value for mention in find(text, parameter, language)), None)


def render(value: Any, language: str = "en") -> str:
    """Return a value as people would read it: lists joined, truth as a word."""
    if isinstance(value, bool):
        spoken = lexicon(language)
        return (spoken.yes if value else spoken.no)[0]
    if isinstance(value, list | tuple):
        return ", ".join(render(item, language) for item in value)
    return str(value)


def kind(parameter: Parameter, language: str = "en") -> Kind:
    """Return how the values of a parameter are said."""
    if parameter.type in NUMBERS:
        return "number"
    if parameter.type in BOOLEANS:
        return "boolean"
    values = tuple(str(value) for value in parameter.values)
    if not values:
        return "name" if parameter.type in NAMES else "text"
    return _listed_kind(values, language)


@lru_cache(maxsize=1024)
def _listed_kind(values: tuple[str, ...], language: str) -> Kind:
    spoken = lexicon(language)
    if all(_whole_hour(value, language) is not None for value in values):
        return "time"
    if all(_ordinal(value.lower(), spoken) is not None for value in values):
        return "ordinal"
    truths = {value.lower() for value in values}
    return "boolean" if truths <= {*spoken.yes, *spoken.no} else "choice"


def _whole_hour(text: str, language: str) -> int | None:
    found = list(hours(text, language))
    whole = len(found) == 1 and found[0].end - found[0].start >= len(text.strip())
    return found[0].value if whole else None


def hours(text: str, language: str = "en") -> Iterator[Mention]:
    """Yield the hours of the day that a text mentions, as numbers from 0 to 23."""
    spoken = lexicon(language)
    lowered = text.lower()
    for match in _hour_pattern(language).finditer(lowered):
        word, hour, mark, _ = match.groups()
        if word is not None:
            yield Mention(spoken.times[word], match.start(), match.end())
        elif int(hour) <= 24:
            half = spoken.meridiem.get(mark) if mark else _half(lowered, spoken)
            value = int(hour) % 12 + half if half is not None else int(hour) % 24
            yield Mention(value, match.start(), match.end())


def _half(lowered: str, spoken: Lexicon) -> int | None:
    """The half of the day that the text as a whole speaks of, if it does."""
    for token in re.findall(r"[a-z.]+", lowered):
        if token in spoken.meridiem:
            return spoken.meridiem[token]
        if token in spoken.parts_of_day:
            return spoken.parts_of_day[token]
    return None


@lru_cache(maxsize=8)
def _hour_pattern(language: str) -> re.Pattern[str]:
    spoken = lexicon(language)
    marks = _either(spoken.meridiem)
    clock = _either(spoken.clock)
    return re.compile(
        rf"\b({_either(spoken.times)})\b"
        rf"|(?<![\w:./])(\d{{1,2}})(?::?[0-5]\d)?(?:\s*({marks})(?!\w)|(\s*(?:{clock})\b"
        # 3:30, and the first hour of a range such as "3-5 pm" or "3 to 5 pm"
        rf"|(?<=:\d\d)\b|(?=\s*(?:-|–|[^\W\d]{{2,5}})\s*\d{{1,2}}(?::\d\d)?\s*(?:{marks})(?!\w))))"
    )


def _either(phrases: Any) -> str:
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


def _listed_hours(text: str, parameter: Parameter, language: str) -> Iterator[Mention]:
    listed = _by_hour(tuple(str(value) for value in parameter.values), language)
    for mention in hours(text, language):
        value = listed.get(mention.value, listed.get((mention.value + 12) % 24))
        if value is not None:
            yield Mention(value, mention.start, mention.end)


@lru_cache(maxsize=256)
def _by_hour(values: tuple[str, ...], language: str) -> dict[int, str]:
    found = {_whole_hour(value, language): value for value in values}
    return {hour: value for hour, value in found.items() if hour is not None}


def _ordinal(word: str, spoken: Lexicon) -> int | None:
    digits = word.rstrip("".join({c for ending in spoken.ordinal_endings for c in ending}))
    if digits.isdecimal() and word[len(digits) :] in spoken.ordinal_endings:
        return int(digits)
    return spoken.ordinals.get(word)


def _listed_ordinals(text: str, parameter: Parameter, language: str) -> Iterator[Mention]:
    spoken = lexicon(language)
    listed = {_ordinal(str(v).lower(), spoken): v for v in parameter.values}
    before = ""
    for match in _WORD.finditer(text.lower()):
        number = _ordinal(match[0], spoken)
        if number is None and before in spoken.months and match[0].isdecimal():
            number = int(match[0])
        if number is not None and number in listed:
            yield Mention(listed[number], match.start(), match.end())
        before = match[0]


def _numbers(text: str, parameter: Parameter, language: str) -> Iterator[Mention]:
    spoken = lexicon(language)
    found = [
        Mention(int(match[1].replace(",", "")), match.start(), match.end())
        for match in _NUMBER.finditer(text)
    ]
    for match in _WORD.finditer(text.lower()):
        if match[0] in spoken.numbers:
            found.append(Mention(spoken.numbers[match[0]], match.start(), match.end()))
    for mention in sorted(found, key=lambda m: m.start):
        if _within(mention.value, parameter):
            yield mention


def _within(number: int, parameter: Parameter) -> bool:
    low, high = parameter.minimum, parameter.maximum
    above = not isinstance(low, int | float) or number >= low
    return above and (not isinstance(high, int | float) or number <= high)


def _booleans(text: str, language: str) -> Iterator[Mention]:
    spoken = lexicon(language)
    for match in _WORD.finditer(text.lower()):
        if match[0] in spoken.yes or match[0] in spoken.no:
            yield Mention(match[0] in spoken.yes, match.start(), match.end())


def _choices(text: str, parameter: Parameter, language: str) -> Iterator[Mention]:
    tokens = [(m[0], m.start(), m.end()) for m in _WORD.finditer(text.lower())]
    found = []
    for value, keys in _keys(tuple(str(v) for v in parameter.values), language).items():
        hits = [(start, end) for token, start, end in tokens if any(same(token, k) for k in keys)]
        short = "".join(key[0] for key in keys)
        if len(keys) > 1 and not hits:
            hits += [(start, end) for token, start, end in tokens if token == short] * len(keys)
        if hits and 2 * len(hits) >= len(keys):
            found.append(Mention(value, min(s for s, _ in hits), max(e for _, e in hits)))
    yield from sorted(found, key=lambda mention: mention.start)


@lru_cache(maxsize=1 << 16)
def same(one: str, other: str) -> bool:
    """Tell whether two words are forms or misspellings of one another.

    >>> same("drive", "driving"), same("micheal", "michael"), same("north", "south")
    (True, True, False)
    """
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    if len(short) < 4:
        # the usual short forms of days and months: at least three letters, at most half the word
        return len(short) == 3 and len(long) >= 6 and long.startswith(short)
    # inflected forms share all but the last letter of the shorter one
    root = short[:-1] if len(short) > 4 else short
    if long.startswith(root) and len(long) - len(root) <= 4:
        return True
    return len(short) >= 5 and fuzz.ratio(one, other) >= CLOSE - 1


@lru_cache(maxsize=1024)
def _keys(values: tuple[str, ...], language: str) -> dict[str, tuple[str, ...]]:
    """The words by which each listed value is told from the others."""
    stop = lexicon(language).stop
    split = {v: [word for word in words(v) if word not in stop] for v in values}
    shared = {
        key
        for key in {key for found in split.values() for key in found}
        if len(values) > 1 and 3 * sum(key in found for found in split.values()) > len(values)
    }
    return {
        value: tuple(dict.fromkeys(key for key in found if key not in shared)) or tuple(found)
        for value, found in split.items()
    }
