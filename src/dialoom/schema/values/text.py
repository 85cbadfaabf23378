"""A text split into words, and an index of phrases that are looked up word by word.

phrases = PhraseIndex[str]()
phrases.add("Dr. Quill", "Quill")
list(phrases.scan(Text("With dr quill, please.", "en")))     # [(5, 13, "Quill")]
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from dialoom.schema.lexicon import lexicon

T = TypeVar("T")

# a letter may carry combining marks; an apostrophe joins two parts of a word
_LETTERS = r"(?:[^\W_][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:['’]{_LETTERS})*")
_DIGIT = re.compile(r"\d")
LONGEST_NUMBER = 18
"""The most digits of a number that a text is read as; longer ones are no value of any slot."""

_JOINT = ".,:/"
"""Characters that, between two digits, are part of one number, time or date."""


class Word(NamedTuple):
    """A word in its normal form for comparison, and its start and end in the text."""

    form: str
    start: int
    end: int


class Text:
    """A text in which values are looked for; what functions read off it is cached."""

    def __init__(self, text: str, language: str) -> None:
        self.text, self.language = text, language
        self.spoken = lexicon(language)
        self._read: dict[Callable[..., Any], Any] = {}

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """The words in order."""
        return tuple(_words(self.text))

    def read(self, reader: Callable[[Text], Iterator[T]]) -> tuple[T, ...]:
        """Return what a function yields for the text (cached)."""
        if reader not in self._read:
            self._read[reader] = tuple(reader(self))
        readings: tuple[T, ...] = self._read[reader]
        return readings

    def may_have(self, phrases: Iterable[str]) -> bool:
        """True if the text contains a digit or one of some phrases, also inside a word."""
        content = self.folded
        return self.digits or any(phrase in content for phrase in phrases)

    @cached_property
    def digits(self) -> bool:
        """Whether it has any digit."""
        return _DIGIT.search(self.text) is not None

    @cached_property
    def folded(self) -> str:
        """The text with its case folded."""
        return self.text.casefold()


text_of = lru_cache(maxsize=256)(Text)
"""Returns a `Text` for a text; the last ones are cached with what was read off them."""


def _words(text: str) -> Iterator[Word]:
    if text.isascii():
        yield from (Word(match[0], *match.span()) for match in _WORD.finditer(text.lower()))
        return
    for match in _WORD.finditer(text):
        form = match[0].lower().replace("’", "'")
        yield Word(
            form if form.isascii() else unicodedata.normalize("NFC", form),
            match.start(),
            match.end(),
        )


class _Phrase(NamedTuple, Generic[T]):
    before: str
    after: str
    meaning: T


class PhraseIndex(Generic[T]):
    """Phrases with their meanings; a phrase is found wherever its words follow one another."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, ...], list[_Phrase[T]]] = {}
        self._longest: dict[str, int] = {}
        self._signs: list[tuple[str, T]] = []

    def add(self, phrase: str, meaning: T) -> None:
        """Add a phrase; one without any word is looked up character by character."""
        words = tuple(_words(phrase))
        if not words:
            if phrase.strip():
                self._signs.append((phrase.strip(), meaning))
            return
        key = tuple(word.form for word in words)
        entries = self._held.setdefault(key, [])
        phrase_ = _Phrase(phrase[: words[0].start], phrase[words[-1].end :], meaning)
        if phrase_ not in entries:
            entries.append(phrase_)
        self._longest[key[0]] = max(self._longest.get(key[0], 0), len(key))

    def scan(self, text: Text) -> Iterator[tuple[int, int, T]]:
        """Yield start, end and meaning of each phrase in a text, phrases inside others included."""
        words = text.words
        for at, word in enumerate(words):
            longest = self._longest.get(word.form)
            if longest is None:  # no phrase begins with this word, as with most words
                continue
            for size in range(1, min(longest, len(words) - at) + 1):
                key = tuple(each.form for each in words[at : at + size])
                entries = self._held.get(key)
                if entries and _whole(text.text, word.start, words[at + size - 1].end):
                    yield from _placed(text.text, word.start, words[at + size - 1].end, entries)
        for sign, meaning in self._signs:
            yield from ((at, at + len(sign), meaning) for at in _signs(text.text, sign))


def _placed(
    text: str, start: int, end: int, phrases: list[_Phrase[T]]
) -> Iterator[tuple[int, int, T]]:
    for before, after, meaning in phrases:
        first = start - len(before) if before and text[:start].endswith(before) else start
        last = end + len(after) if after and text.startswith(after, end) else end
        yield first, last, meaning


def _whole(text: str, start: int, end: int) -> bool:
    """True if a phrase is no part of a longer number, as the 12 of 12:30 is."""
    before = start > 1 and text[start].isdigit() and text[start - 1] in _JOINT
    after = end + 1 < len(text) and text[end - 1].isdigit() and text[end] in _JOINT
    return not (before and text[start - 2].isdigit()) and not (after and text[end + 1].isdigit())


def _signs(text: str, sign: str) -> Iterator[int]:
    at = text.find(sign)
    while at >= 0:
        yield at
        at = text.find(sign, at + 1)


def whole_number(text: str) -> int | None:
    """Return the number of a text of decimal digits of any script; None for other texts.

    Longer ones than `LONGEST_NUMBER` give None as well: neither `int` nor `float` takes any length.
    """
    return int(text) if len(text) <= LONGEST_NUMBER and text.isdecimal() else None


def any_of(phrases: Iterable[str]) -> str:
    """Return a regular expression for some phrases, longest first; without any none matches."""
    longest = sorted(phrases, key=len, reverse=True)
    return "|".join(map(re.escape, longest)) or r"(?!)"


def spelled_as(pattern: str, groups: Mapping[str, str]) -> str:
    """Return a pattern of `lang/` as a regular expression, with a group for each {name}."""
    source = re.escape(pattern).replace(r"\ ", r"\s+")
    for name, group in groups.items():
        source = source.replace(rf"\{{{name}\}}", group)
    return source
