"""Numbers and amounts: "12", "twelve", "a dozen", "3 dollars", "$3".

price = NumberValues(Slot(name="price", type="amount", minimum=1, maximum=9, unit="dollars"), "en")
tuple(price.render(3))                             # ("3 dollars", "three dollars", "$3", …)
tuple(price.find(Text("for three dollars", "en"))) # (Mention("price", 3, 4, 17), …)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.schema.lexicon import Lexicon, Unit, lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.text import LONGEST_NUMBER, PhraseIndex, Text

WITH_UNIT, DIGITS, WORD, LONE = 1.0, 0.8, 0.7, 0.5
"""Confidence of a number with its unit, in digits, as a word, and of the word "one" alone."""

_DIGITS = re.compile(r"(?<![\w.,:/])([-−]?)(\d+(?:,\d{3})*)([.,]\d+)?(?![\w/]|[:.,]\d)")


class NumberReading(NamedTuple):
    """A number read off a text, from `start` to `end`, and its confidence."""

    start: int
    end: int
    number: int | float
    confidence: float


class NumberValues(SlotValues):
    """The values of a slot of the types integer and amount."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)
        self._unit = slot.unit if slot.type == "amount" else None
        self._named = self._spoken.units.get(self._unit or "", Unit())

    def render(self, value: Any) -> Iterator[str]:
        """Yield the ways to say a number: in digits first, then in words."""
        texts = tuple(spoken_forms(value, self._spoken))
        if not self._unit:
            yield from texts
            return
        unit = self._named.one if value == 1 and self._named.one else self._unit
        yield from (f"{text} {unit}" for text in texts)
        yield from (f"{sign}{texts[0]}" for sign in self._named.before)
        yield from (f"{texts[0]} {word}" for word in self._named.after)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the numbers in a text that are in the slot's range, with and without their unit."""
        for start, end, number, confidence in text.read(readings):
            if self._has(number):
                yield Mention(self._slot.name, number, start, end, confidence)
                yield from self._with_unit(text.text, start, end, number)

    def _with_unit(self, text: str, start: int, end: int, number: Any) -> Iterator[Mention]:
        if not self._unit:
            return
        name, before = self._slot.name, text[:start]
        for sign in self._named.before:
            if before.rstrip().endswith(sign):
                first = len(before.rstrip()) - len(sign)
                yield Mention(name, number, first, end, WITH_UNIT)
        for word in (self._unit, self._named.one, *self._named.after):
            match = re.compile(rf"\s*{re.escape(word)}(?!\w)", re.IGNORECASE).match(text, end)
            if word and match:
                yield Mention(name, number, start, match.end(), WITH_UNIT)

    def _has(self, number: float) -> bool:
        low, high = self._slot.minimum, self._slot.maximum
        if isinstance(low, int | float) and number < low:
            return False
        if isinstance(high, int | float) and number > high:
            return False
        return self._slot.type == "amount" or float(number).is_integer()


def spoken_forms(value: Any, spoken: Lexicon) -> Iterator[str]:
    """Yield the ways to say a number without a unit."""
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    yield text.replace(".", spoken.decimal)
    yield from _words_of(spoken.language).get(value, ())


def readings(text: Text) -> Iterator[NumberReading]:
    """Yield the numbers in a text: those in digits, then the longest ones in words."""
    for match in _DIGITS.finditer(text.text) if text.digits else ():
        sign, whole, rest = match.groups()
        whole = whole.replace(",", "")
        if len(whole) > LONGEST_NUMBER:
            continue
        digits = f"{whole}{(rest or '').replace(',', '.')}"
        start = match.start() + (len(sign) if _joined(text.text, match.start(), sign) else 0)
        negative = sign and start == match.start()
        number = float(digits) if rest else int(digits)
        number = int(number) if float(number).is_integer() and len(digits) < 15 else number
        yield NumberReading(start, match.end(), -number if negative else number, DIGITS)
    end = -1
    phrases = sorted(_phrases(text.language).scan(text), key=lambda each: (each[0], -each[1]))
    for start, after, number in phrases:
        if start >= end:
            end = after
            yield NumberReading(start, after, number, LONE if number == 1 else WORD)


def _joined(text: str, start: int, sign: str) -> bool:
    """True if the sign before a number is a hyphen that joins it to the text before it."""
    return bool(sign) and start > 0 and (text[start - 1].isalnum() or text[start - 1] in ")]")


@lru_cache(maxsize=8)
def _phrases_of(language: str) -> tuple[tuple[str, int], ...]:
    """Pairs of a number word and its number, with compounds of tens and ones."""
    spoken = lexicon(language)
    tens = {word: n for word, n in spoken.numbers.items() if 20 <= n < 100 and n % 10 == 0}
    ones = {spoken.joined.get(word, word): n for word, n in spoken.numbers.items() if 0 < n < 10}
    pairs = (
        (pattern.format(tens=ten, ones=one), ten_number + number)
        for pattern in spoken.compounds
        for ten, ten_number in tens.items()
        for one, number in ones.items()
    )
    return (*spoken.numbers.items(), *pairs)


@lru_cache(maxsize=8)
def _words_of(language: str) -> dict[float, tuple[str, ...]]:
    """Number to its first word and the phrases for it as a quantity ("a dozen")."""
    by_number: dict[float, tuple[str, ...]] = {}
    for phrase, number in _phrases_of(language):
        by_number.setdefault(number, (phrase,))
    for phrase, number in lexicon(language).quantities.items():
        by_number[number] = (*by_number.get(number, ()), phrase)
    return by_number


@lru_cache(maxsize=8)
def _phrases(language: str) -> PhraseIndex[int]:
    index: PhraseIndex[int] = PhraseIndex()
    for phrase, number in (*_phrases_of(language), *lexicon(language).quantities.items()):
        index.add(phrase, number)
    return index
