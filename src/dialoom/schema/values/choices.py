"""Listed values: categories with their spoken variants, lists of numbers, times, dates; booleans.

    mode = ListedValues(Slot(name="mode", type="category", values={"OnFoot": ("walking",)}), "en")
    tuple(mode.render("OnFoot"))      # ("walking",)
    tuple(mode.phrases())             # (("OnFoot", "OnFoot"), ("walking", "OnFoot"))

If all values of a list are times, days of the month, numbers, or yes and no, they are found in
every spoken form of these. In other lists, misspelt and inflected words are found as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import Any, Literal

from dialoom.schema.lexicon import lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.values import clock, dates, numbers
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.text import PhraseIndex, Text

Kind = Literal["time", "date", "choice", "number", "boolean", "name", "text"]
"""The kind of a slot's values; those of a list may be times, days, numbers, or yes and no."""

_IDENTIFIER = re.compile(r"\S*(?:_|[a-z][A-Z])\S*")
_DIGIT = re.compile(r"\d")
_CLOCK = re.compile(r"\d{1,2}:\d{2}\S{0,2}")


class ListedValues(SlotValues):
    """The values of a slot that lists its values (types category and categories)."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._language = slot, language
        self._spoken = lexicon(language)

    def render(self, value: Any) -> Iterator[str]:
        """Yield the value as spelled (unless an identifier), its variants, and its other forms."""
        text = str(value)
        variants = self._slot.values.get(text, ())
        if not (variants and is_identifier(text)):
            yield text
        yield from variants
        if text in self._reading[1]:
            yield from self._spoken_forms(text)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the values that are named by a time, day, number, or yes and no."""
        name, values = self._slot.name, self._values
        if self.kind == "time":
            yield from clock.fitting(name, text.read(clock.readings), self._at)
        elif self.kind == "number":
            for start, end, number, confidence in text.read(numbers.readings):
                if number in values:
                    yield Mention(name, values[number], start, end, confidence)
        elif self.kind == "date":
            for reading in text.read(dates.readings):
                if reading.day in values:
                    yield Mention(name, values[reading.day], reading.start, reading.end)
        elif self.kind == "boolean":
            for start, end, value in text.read(readings):
                yield Mention(name, values[value], start, end)

    def phrases(self) -> Iterator[tuple[str, str]]:
        """Yield the listed values and their variants."""
        for value, variants in self._slot.values.items():
            yield from ((text, value) for text in (value, *variants))

    def answer(self, text: Text) -> str | None:
        """Return the listed time that a number alone gives ("5"); None without times."""
        if self.kind != "time":
            return None
        mentions = clock.fitting(self._slot.name, text.read(clock.bare), self._values.get)
        return next((mention.value for mention in mentions), None)

    @property
    def kind(self) -> Kind:
        """The kind of the values."""
        return self._reading[0]

    @cached_property
    def _reading(self) -> tuple[Kind, dict[str, Any]]:
        """The kind of the values, and each value's time (minutes), day, number or truth value."""
        readers: tuple[tuple[Kind, Callable[[str], Any]], ...] = (
            ("number", self._number),
            ("time", self._time),
            ("date", self._day),
            ("boolean", self._spoken.truth),
        )
        for kind, reader in readers:
            read = {value: reader(value) for value in self._slot.values}
            if read and None not in read.values() and len(set(read.values())) == len(read):
                return kind, read
        return "choice", {}

    @cached_property
    def _values(self) -> dict[Any, str]:
        return {typed: value for value, typed in self._reading[1].items()}

    def _number(self, value: str) -> float | None:
        return next((n for s, e, n, _ in self._read(value, numbers.readings)), None)

    def _time(self, value: str) -> int | None:
        return next((minutes[0] for s, e, minutes, _ in self._read(value, clock.readings)), None)

    def _day(self, value: str) -> int | None:
        days = self._read(value, dates.readings)
        word = self._spoken.ordinals.get(value.casefold())
        return next((each.day for each in days if each.month is None), word)

    def _read(self, value: str, reader: Callable[[Text], Iterator[Any]]) -> Iterator[Any]:
        readings = reader(Text(value, self._language))
        return (each for each in readings if each[1] - each[0] == len(value))

    def _spoken_forms(self, value: str) -> Iterator[str]:
        kind, typed = self.kind, self._reading[1][value]
        if kind == "time":
            yield from clock.spoken_forms(typed, self._spoken, self._values.get)
        elif kind == "number":
            yield from numbers.spoken_forms(typed, self._spoken)
        elif kind == "date":
            yield from dates.spoken_days(typed, self._spoken)
        elif kind == "boolean":
            yield from self._spoken.yes if typed else self._spoken.no

    def _at(self, minutes: int) -> str | None:
        """Return the listed time at a minute of the day, else the listed full hour before it."""
        return self._values.get(minutes, self._values.get(minutes // 60 * 60))

    def keys(self) -> dict[str, tuple[str, ...]]:
        """Return value to its distinctive words.

        Stop words and words that more than a third of the values share are left out.
        """
        if self.kind != "choice":
            return {}
        split = {v: [w for w in words(v) if w not in self._spoken.stop] for v in self._slot.values}
        every = {key for terms in split.values() for key in terms}
        shared = {
            key
            for key in every
            if len(split) > 1 and 3 * sum(key in terms for terms in split.values()) > len(split)
        }
        return {
            value: tuple(dict.fromkeys(key for key in terms if key not in shared)) or tuple(terms)
            for value, terms in split.items()
        }


def is_identifier(value: str) -> bool:
    """True if a value is an identifier (`OnFoot`, `on_foot`), which nobody would say."""
    return _IDENTIFIER.fullmatch(value) is not None


def sayable(value: str, language: str = "en") -> bool:
    """True if a listed value can be said unchanged: no identifier, no code of digits.

    >>> sayable("3rd floor"), sayable("Route 66"), sayable("A38x")
    (True, True, False)
    """
    endings = lexicon(language).ordinal_endings
    for word in value.split():
        rest = word.strip(".,:;!?").lstrip("0123456789")
        if _DIGIT.search(word) and rest and rest not in endings and not _CLOCK.fullmatch(word):
            return False
    return not is_identifier(value)


class BooleanValues(SlotValues):
    """The values of a boolean slot, True and False."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)

    def render(self, value: Any) -> Iterator[str]:
        """Yield the words for True or False."""
        return iter(self._spoken.yes if value else self._spoken.no)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the words for yes and no in a text."""
        for start, end, value in text.read(readings):
            yield Mention(self._slot.name, value, start, end)


def readings(text: Text) -> Iterator[tuple[int, int, bool]]:
    """Yield start, end and meaning of the words for yes and no in a text."""
    return _phrases(text.language).scan(text)


@lru_cache(maxsize=8)
def _phrases(language: str) -> PhraseIndex[bool]:
    spoken, index = lexicon(language), PhraseIndex[bool]()
    meanings = dict.fromkeys(spoken.yes, True) | dict.fromkeys(spoken.no, False) | spoken.literals
    for word, value in meanings.items():
        index.add(word, value)
    return index
