"""Candidate values that no slot lists: phrases of a text, and times a duration later.

list(phrases("from forbes and murray to the airport", "en"))     # (5, 22), (5, 11), …
durations("for two hours", "en")                                 # {"time": 120}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from dialoom.dialogue.annotation import Value
from dialoom.schema.lexicon import Lexicon, lexicon, words
from dialoom.schema.slot import Slot
from dialoom.schema.values import minute_of, parse, samples
from dialoom.schema.values.numbers import readings
from dialoom.schema.values.text import text_of

LONGEST = 6
"""Most words of a phrase."""

_DAY = 24 * 60
"""Minutes of a day, after which times begin again."""

_NO_ROUND = 10**6
"""More days than any slot lists: dates do not begin again."""

_CLOCK = Slot(name="time", type="time")
_TOKEN = re.compile(r"[^\s,;:!?\"()]+")


@lru_cache(maxsize=8)
def _function_words(language: str) -> frozenset[str]:
    spoken = lexicon(language)
    words = {*spoken.stop, *spoken.verbs, *spoken.common, *spoken.articles, *spoken.links}
    return frozenset(words | {*spoken.places, *spoken.yes, *spoken.no, *spoken.courtesies})


def phrases(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of runs of content words, and of two runs that "and" joins."""
    joint = lexicon(language).last.strip()
    runs: list[tuple[int, int]] = []
    start = end = -1
    for match in _TOKEN.finditer(text):
        word = match[0].rstrip(".").casefold()
        function = word in _function_words(language)
        if start >= 0 and (function or text[end : match.start()].strip()):
            runs.append((start, end))
            start = -1
        if not function:
            start = match.start() if start < 0 else start
            end = match.start() + len(match[0].rstrip("."))
            if match[0].endswith(".") and len(word) > 2:
                runs.append((start, end))
                start = -1
    if start >= 0:
        runs.append((start, end))
    for number, (first, last) in enumerate(runs):
        if len(text[first:last].split()) <= LONGEST:
            yield first, last
        if number and text[runs[number - 1][1] : first].strip().casefold() == joint:
            yield runs[number - 1][0], last


def durations(text: str, language: str) -> dict[str, int]:
    """Return kind of value ("time", "date") to the duration in a text, in minutes or days."""
    spoken = lexicon(language)
    found: dict[str, int] = {}
    for reading in readings(text_of(text, language)):
        after = words(text[reading.end :])[:1]
        found |= _lasting(spoken, after, reading.number)
    for article, unit in zip(words(text), words(text)[1:], strict=False):
        if article in spoken.articles[1:]:
            found = _lasting(spoken, [unit], 1) | found
    return found


def _lasting(spoken: Lexicon, after: list[str], number: float) -> dict[str, int]:
    return {
        kind: int(number * units[after[0]])
        for kind, units in spoken.durations.items()
        if after and after[0] in units
    }


class Later:
    """Adds durations to the values of a slot of times (by steps of a day) or dates (in order)."""

    def __init__(self, slot: Slot, kind: str, language: str) -> None:
        self.kind, listed = kind, list(samples(slot))
        if kind == "time":
            minutes = [minute_of(str(parse(_CLOCK, str(value), language))) for value in listed]
            self._places: Mapping[Value, int] = {
                value: minute
                for value, minute in zip(listed, minutes, strict=True)
                if minute is not None
            }
            self._round = _DAY
        else:
            self._places = {value: place for place, value in enumerate(listed)}
            self._round = _NO_ROUND
        self._values = {place: value for value, place in self._places.items()}

    def after(self, value: Value, lasting: int) -> Value:
        """Return the value that is so many minutes or days after another, or None."""
        if value not in self._places:
            return None
        return self._values.get((self._places[value] + lasting) % self._round)
