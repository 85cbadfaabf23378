"""Times of the day: "5:30 pm", "17:30", "half past five", "noon".

    evening = Slot(name="time", type="time", minimum="17:00", maximum="22:00", step=30)
    clock = TimeValues(evening, "en")
    tuple(clock.render("17:30"))              # ("5:30 pm", "17:30", "half past 5", …)
    tuple(clock.find(Text("at 8 pm", "en")))  # (Mention("time", "20:00", 3, 7),)

Canonical is "17:30". If the half of the day is open ("at 5"), the one in the slot's range is
taken; if both are in range, times from 7 am to 7 pm come first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.schema.lexicon import Lexicon, lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.ranges import DAY, minute_of
from dialoom.schema.values.text import Text, any_of, spelled_as, whole_number

HALF = 12 * 60

WAKING = range(7 * 60, 19 * 60)
"""Minutes of the day (7 am to 7 pm) that come first where the half of the day is open."""

SURE, BARE = 1.0, 0.4
"""Confidence of a time in a form of its own ("5 pm"), and of a number alone ("at 5")."""

OTHER_HALF = 0.4
"""Factor on the confidence of the less likely half of the day; 1 minus it on the other."""

_CLOCK = r"(?P<clock>(?:2[0-4]|[01]?\d)[:.][0-5]\d)"
_HOUR, _H24 = r"(?P<hour>1[0-2]|0?[1-9])", r"(?P<h24>2[0-4]|1\d|0?\d)"
_BEFORE, _AFTER = r"(?<![\w:])(?<!\d[.,/])", r"(?!\w)(?![:.,]\d)"


class TimeReading(NamedTuple):
    """A time read off a text: its place, and its possible minutes of the day, likeliest first."""

    start: int
    end: int
    minutes: tuple[int, ...]
    confidence: float = SURE


class TimeValues(SlotValues):
    """The values of a slot of the type time."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)
        self._first, self._last = minute_of(str(slot.minimum)), minute_of(str(slot.maximum))

    def render(self, value: Any) -> Iterator[str]:
        """Yield the ways to say a time, without those that would be understood as another time."""
        minutes = minute_of(str(value))
        return (
            iter((str(value),))
            if minutes is None
            else spoken_forms(minutes, self._spoken, self._fit)
        )

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the times in a text that are in the slot's range."""
        return fitting(self._slot.name, text.read(readings), self._fit)

    def answer(self, text: Text) -> str | None:
        """Return the time that a number alone gives ("5"), or None."""
        times = text.read(bare)
        return next((each.value for each in fitting(self._slot.name, times, self._fit)), None)

    def _fit(self, minutes: int) -> str | None:
        """Return the canonical form of a minute of the day; None if the slot lacks it."""
        first, last = self._first, self._last
        if first is not None and last is not None:
            after = (minutes - first) % DAY
            if after > (last - first) % DAY or after % max(1, int(self._slot.step)):
                return None
        return f"{minutes // 60:02}:{minutes % 60:02}"


def fitting(
    slot: str, readings: tuple[TimeReading, ...], fit: Callable[[int], Any]
) -> Iterator[Mention]:
    """Yield a mention for each value that readings give; `fit` maps minutes to values."""
    for start, end, minutes, confidence in readings:
        values = [value for value in map(fit, minutes) if value is not None]
        for place, value in enumerate(dict.fromkeys(values)):
            share = 1.0 if len(values) == 1 else OTHER_HALF if place else 1 - OTHER_HALF
            yield Mention(slot, value, start, end, confidence * share)


def spoken_forms(minutes: int, spoken: Lexicon, fit: Callable[[int], Any]) -> Iterator[str]:
    """Yield the ways to say a minute of the day; without half of the day only the likelier."""
    likeliest = next(filter(None, map(fit, _either(minutes % HALF, None))), None)
    for form in _forms(spoken.language):
        text = form.filled(minutes, spoken)
        if text is not None and (form.sure(minutes) or likeliest == fit(minutes)):
            yield text
    yield from (word for word, hour in spoken.times.items() if hour * 60 == minutes)


def readings(text: Text) -> Iterator[TimeReading]:
    """Yield the times in a text; a number alone is an hour only after a preposition ("at 5")."""
    whole = text.read(formed)
    yield from whole
    if not text.may_have(_marks(text.language)):
        return
    for match in _cued(text.language).finditer(text.text):
        start, end = match.span("hour")
        if not any(each.start <= start and end <= each.end for each in whole):
            hour = _hour(match["hour"], text.spoken)
            if hour is not None:
                minutes = _either(hour * 60, _half(text.text, text.spoken))
                yield TimeReading(start, end, minutes, BARE)


def formed(text: Text) -> Iterator[TimeReading]:
    """Yield the times in a text in a form of their own ("5 pm"), without those inside others."""
    times = text.read(_all_formed)
    for each in times:
        longer = (other for other in times if other.end - other.start > each.end - each.start)
        if not any(other.start <= each.start and each.end <= other.end for other in longer):
            yield each


def _all_formed(text: Text) -> Iterator[TimeReading]:
    spoken, half = text.spoken, None
    if not text.may_have(_marks(text.language)):
        return
    for form in _forms(text.language):
        for match in form.pattern.finditer(text.text) if form.word in text.folded else ():
            half = _half(text.text, spoken) if half is None else half
            minutes = form.minutes(match, spoken, half)
            if minutes:
                yield TimeReading(*match.span("time"), minutes)
    for match in _named(text.language).finditer(text.text):
        hour = spoken.times.get(match[0].lower())
        if hour is not None:
            yield TimeReading(*match.span(), (hour * 60,))
    for match in _ranges(text.language).finditer(text.text):
        marked = _marked(int(match["hour"]) % 12 * 60, match["mark"], spoken)
        if marked:
            yield TimeReading(*match.span("hour"), marked, SURE)


def bare(text: Text) -> Iterator[TimeReading]:
    """Yield numbers alone as hours of the day, in a text that has no time in a form of its own."""
    for word in text.words if not text.read(formed) else ():
        hour = _hour(word.form, text.spoken)
        if hour is not None and hour <= 24:
            yield TimeReading(word.start, word.end, _either(hour % 24 * 60, None))


class _Form(NamedTuple):
    """A pattern of times from `lang/`, such as "{hour} {mark}".

    `offset` are the minutes from the named hour ("quarter to": -15), None if variable. `word` is in
    every time of this form.
    """

    text: str
    offset: int | None
    pattern: re.Pattern[str]
    word: str

    def filled(self, minutes: int, spoken: Lexicon) -> str | None:
        """Return a time in this form; None if the form cannot express it."""
        if self.offset is not None and (minutes - self.offset) % 60:
            return None
        hour, minute = divmod((minutes - (self.offset or 0)) % DAY, 60)
        number = hour % 12 or 12
        marks = {half: mark for mark, half in reversed(spoken.meridiem.items())}
        word = next((w for w, n in spoken.numbers.items() if n == number), None)
        if "{word}" in self.text and word is None:
            return None
        return self.text.format(
            hour=number,
            h24=hour,
            word=word,
            minute=f"{minute:02}",
            mark=marks.get(12 if hour >= 12 else 0),
            clock=f"{hour:02}:{minute:02}",
        )

    def sure(self, minutes: int) -> bool:
        """True if a time in this form contains the half of the day."""
        if "{mark}" in self.text:
            return True
        hour = minutes // 60
        if "{clock}" in self.text:
            return hour < 10 or hour > 12
        return "{h24}" in self.text and not 0 < hour <= 12

    def minutes(self, match: re.Match[str], spoken: Lexicon, half: int) -> tuple[int, ...]:
        """Return the possible minutes of the day of a match, the likeliest first.

        There are none where only a pattern that ignores case takes its words for known ones.
        """
        parts = match.groupdict()
        clock, mark, minute = parts.get("clock"), parts.get("mark"), int(parts.get("minute") or 0)
        if clock:
            hour, minute = map(int, re.split("[:.]", clock))
        else:
            value = _hour(parts.get("word") or parts.get("hour") or parts.get("h24") or "0", spoken)
            if value is None:
                return ()
            hour = value
        total = (hour * 60 + minute + (self.offset or 0)) % DAY
        if mark:
            # "a quarter to twelve pm" is 11:45 pm: the mark belongs to the time, not the hour
            return _marked(total % HALF, mark, spoken)
        if (clock and clock.startswith("0")) or hour in (0, 24):
            return (total,)
        return _either(total, half)


@lru_cache(maxsize=8)
def _forms(language: str) -> tuple[_Form, ...]:
    spoken = lexicon(language)
    marks, words = any_of(spoken.meridiem), any_of(_hours(spoken))
    groups = {
        "hour": _HOUR,
        "h24": _H24,
        "word": f"(?P<word>{words})",
        "minute": r"(?P<minute>[0-5]\d)",
        "clock": _CLOCK,
    }
    forms = []
    for text, offset in spoken.clock_forms.items():
        if "{mark}" in text and not spoken.meridiem:
            continue
        pattern = spelled_as(text, groups).replace("'", "['’]?")
        pattern = re.sub(r"\\s\+\\\{mark\\\}", rf"\\s*(?P<mark>{marks})", pattern)
        # the mark may follow any form: "half past seven pm"
        if "(?P<mark>" not in pattern:
            pattern += rf"(?:\s*(?P<mark>{marks}))?"
        whole = rf"{_BEFORE}(?P<time>{pattern}){_AFTER}"
        own = re.findall(r"[^\W\d_]+", re.sub(r"\{\w+\}", " ", text))
        word = max(own, key=len, default="").casefold()
        forms.append(_Form(text, offset, re.compile(whole, re.IGNORECASE), word))
    return tuple(forms)


@lru_cache(maxsize=8)
def _marks(language: str) -> frozenset[str]:
    """Words of which every time without a digit contains one."""
    spoken = lexicon(language)
    return frozenset(map(str.casefold, (*_hours(spoken), *spoken.times)))


@lru_cache(maxsize=8)
def _named(language: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{any_of(lexicon(language).times)})\b", re.IGNORECASE)


@lru_cache(maxsize=8)
def _ranges(language: str) -> re.Pattern[str]:
    """Return the pattern of the first hour of a range such as "3-5 pm" or "3 to 5 pm"."""
    marks = any_of(lexicon(language).meridiem)
    until = rf"\s*(?:-|–|[^\W\d]{{2,5}})\s*\d{{1,2}}(?::\d\d)?\s*(?P<mark>{marks})"
    return re.compile(rf"{_BEFORE}{_HOUR}(?={until}(?!\w))", re.IGNORECASE)


@lru_cache(maxsize=8)
def _cued(language: str) -> re.Pattern[str]:
    """Return the pattern of a number alone as an hour, after a preposition of time."""
    spoken = lexicon(language)
    cues, words = any_of(spoken.clock_cues), any_of(_hours(spoken))
    hour = rf"(?P<hour>1[0-2]|[1-9]|{words})"
    return re.compile(rf"\b(?:{cues})\s+{hour}{_AFTER}(?!\s*-?[^\W\d_]*[%$€£])", re.IGNORECASE)


def _hours(spoken: Lexicon) -> list[str]:
    return [word for word, number in spoken.numbers.items() if 1 <= number <= 12]


def _hour(word: str, spoken: Lexicon) -> int | None:
    """Return an hour's number; None for a word that matches only without case (ſix)."""
    hour = spoken.numbers.get(word.lower())
    return whole_number(word) if hour is None else hour


def _marked(minutes: int, mark: str, spoken: Lexicon) -> tuple[int, ...]:
    half = spoken.meridiem.get(mark.lower())
    return () if half is None else (minutes + half * 60,)


def _either(minutes: int, half: int | None) -> tuple[int, ...]:
    """Return a time in both halves of the day, the likelier first; from 13:00 on unchanged."""
    if minutes >= HALF + 60:
        return (minutes % DAY,)
    both = (minutes % HALF, minutes % HALF + HALF)
    if half is not None and half >= 0:
        return both if half == 0 else both[::-1]
    return both if both[0] in WAKING else both[::-1]


def _half(text: str, spoken: Lexicon) -> int:
    """Return the first hour (0 or 12) of the half of the day that a text names; -1 if none."""
    for token in re.findall(r"[^\W\d_]+(?:\.[^\W\d_]\.?)?", text.lower()):
        half = spoken.meridiem.get(token, spoken.parts_of_day.get(token))
        if half is not None:
            return half
    return -1
