"""Names and free text: listed examples, and texts that a phrase, quotes or capitals mark as a name.

    name = TextValues(Slot(name="name", type="short text", examples=("Ilse Marwood",)), "en")
    tuple(name.find(Text("My name is Ann Lee.", "en")))  # Ann Lee, from 11 to 18
    name.answer(Text("It's Ann Lee, please.", "en"))     # "Ann Lee"

Long texts are only found if they are examples or quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.schema.lexicon import lexicon, split_name
from dialoom.schema.slot import Slot
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.text import Text, any_of

INTRODUCED, QUOTED, CAPITAL = 0.6, 0.5, 0.3
"""Confidence of a name after "my name is" and the like, in quotation marks, and in capitals."""

OTHER = 0.5
"""Factor on the confidence of an introduced name in a slot that is not about a person."""

LONGEST = 4
"""Most words of a name whose end is not marked by capitals."""

SHORT = 4
"""Most letters of a title before a full stop that ends no sentence ("Prof.")."""

_QUOTED = re.compile('["“„«]([^"“”„«»]{1,200})["”“»]')
_REST = re.compile(rf"(?:[^\W_][^\s.,;:!?]* ?){{1,{LONGEST}}}(?<! )(?=\s*(?:[.,;:!?]|$))")
"""Pattern of the words up to the next punctuation mark."""
_EDGES, _OPENING = " \t\n.,;:!?", " \t\n\"'“„«(,:;-–"


class NameReading(NamedTuple):
    """A possible name in a text; `person` is True after a phrase for persons."""

    start: int
    end: int
    confidence: float
    person: bool = False


class TextValues(SlotValues):
    """The values of a slot of the types short text and long text."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)
        described = {*split_name(slot.name), *slot.description.casefold().split()}
        self._person = not described.isdisjoint(self._spoken.people)

    def render(self, value: Any) -> Iterator[str]:
        """Yield the text."""
        yield str(value)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the texts that are introduced or marked as a name."""
        name = self._slot.name
        for start, end, confidence, person in text.read(readings):
            if self._slot.type == "long text" and confidence != QUOTED:
                continue
            share = OTHER if person and not self._person else 1
            yield Mention(name, text.text[start:end], start, end, confidence * share)

    def phrases(self) -> Iterator[tuple[str, str]]:
        """Yield the examples of the slot."""
        return ((example, example) for example in self._slot.examples)

    def answer(self, text: Text) -> str | None:
        """Return an answer without the phrases around its value, such as "it is" and "please"."""
        rest = text.text.strip(_EDGES)
        before, after = _manner(text.language)
        while (match := before.match(rest)) and match.end() < len(rest):
            rest = rest[match.end() :].lstrip(_EDGES)
        while (match := after.search(rest)) and match.start():
            rest = rest[: match.start()].rstrip(_EDGES)
        return rest or None


def readings(text: Text) -> Iterator[NameReading]:
    """Yield the parts of a text after "my name is" and the like, in quotes, and in capitals."""
    for match in _QUOTED.finditer(text.text):
        yield NameReading(*match.span(1), QUOTED)
    runs = dict(_capitals(text))
    any_name, introduced = _phrases(text.language)
    for match in any_name.finditer(text.text):
        start, rest = match.end(), _REST.match(text.text, match.end())
        end = runs.get(start, rest.end() if rest else start)
        if end > start:
            yield NameReading(start, end, INTRODUCED, person=True)
    for match in introduced.finditer(text.text):
        if match.end() in runs:
            yield NameReading(match.end(), runs[match.end()], INTRODUCED, person=True)
    for start, end in runs.items() if text.spoken.capitals else ():
        before = text.text[:start].rstrip(_OPENING)
        if before and before[-1] not in ".!?" and end - start > 1:
            yield NameReading(start, end, CAPITAL)


def _capitals(text: Text) -> Iterator[tuple[int, int]]:
    """Yield start and end of each run of capitalised words: "Dr. Hill", "Ann J. Lee"."""
    openers = text.spoken.stop | text.spoken.common | text.spoken.verbs
    start = end = last = -1
    for word in text.words:
        if not text.text[word.start].isupper():
            continue
        between = text.text[end : word.start]
        short = end - last == 1 or (last == start and end - start <= SHORT)
        title = (
            between == ". " and short and text.text[word.start : word.end].casefold() not in openers
        )
        if start < 0 or not (between in (" ", "-") or title):
            if start >= 0:
                yield start, end
            start = word.start
        last, end = word.start, word.end
    if start >= 0:
        yield start, end


@lru_cache(maxsize=8)
def _phrases(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of phrases before any name, and of phrases before capitalised names."""
    spoken = lexicon(language)
    any_name, introduced = (
        re.compile(rf"\b(?:{any_of(phrases)})\s+", re.IGNORECASE)
        for phrases in (spoken.names, spoken.introductions)
    )
    return any_name, introduced


@lru_cache(maxsize=8)
def _manner(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns of the phrases before and after the value in an answer."""
    spoken = lexicon(language)
    before = any_of((*spoken.names, *spoken.introductions, *spoken.answers))
    after = any_of(spoken.courtesies)
    return (
        re.compile(rf"(?:{before})\b[\s,:]*", re.IGNORECASE),
        re.compile(rf"[\s,]*\b(?:{after})$", re.IGNORECASE),
    )
