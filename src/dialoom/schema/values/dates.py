"""Dates: "3 May", "May 3rd", "the third of May", with a year where the slot has several.

    day = Slot(name="day", type="date", minimum="2021-05-03", maximum="2021-05-14")
    days = DateValues(day, "en")
    tuple(days.render("2021-05-03"))                 # ("3 May", "May 3", "May 3rd", …)
    tuple(days.find(Text("on May 4th", "en")))       # (Mention("day", "2021-05-04", 3, 10),)

Canonical is "2021-05-03"; "--05-03" (ISO 8601) in a slot without a range if no year is mentioned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from dialoom.schema.lexicon import Lexicon, lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values.mention import Mention, SlotValues
from dialoom.schema.values.ranges import day_of
from dialoom.schema.values.text import Text, any_of, spelled_as, whole_number

DAY_ALONE = 0.6
"""Confidence of a day of the month without its month ("the 3rd")."""

LEAP = 2000
"""The year in which dates without a year are validated: a leap year, for 29 February."""

WITHIN = 62
"""Longest range of a slot, in days, in which a day of the month may be said without its month."""

_PLAIN = re.compile(r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d{2})-(?P<day>\d{2})(?![\w-])")
_YEARLESS = re.compile(r"--(\d{2})-(\d{2})")


class DateReading(NamedTuple):
    """A date read off a text, from `start` to `end`; parts that are not mentioned are None."""

    start: int
    end: int
    year: int | None
    month: int | None
    day: int


class DateValues(SlotValues):
    """The values of a slot of the type date."""

    def __init__(self, slot: Slot, language: str) -> None:
        self._slot, self._spoken = slot, lexicon(language)
        self._first, self._last = day_of(str(slot.minimum)), day_of(str(slot.maximum))

    def render(self, value: Any) -> Iterator[str]:
        """Yield the ways to say a date, with its year only where the range has the day twice."""
        moment = day_of(str(value))
        yearless = _YEARLESS.fullmatch(str(value))
        if moment is not None and self._spoken.dates:
            yield from self._spoken_forms(moment.year, moment.month, moment.day, str(value))
        elif yearless and self._spoken.dates:
            yield from self._spoken_forms(None, int(yearless[1]), int(yearless[2]), str(value))
        else:
            yield str(value)

    def _spoken_forms(self, year: int | None, month: int, day: int, value: str) -> Iterator[str]:
        alone = self._fit(None, month, day) == value
        for pattern in self._spoken.dates:
            text = _filled(pattern, month, day, self._spoken)
            if text is not None:
                yield text if alone or year is None else f"{text} {year}"
        if self._fit(None, None, day) == value:
            yield from spoken_days(day, self._spoken)

    def find(self, text: Text) -> Iterator[Mention]:
        """Yield the dates in a text that are in the slot's range."""
        for start, end, year, month, day in text.read(readings):
            value = self._fit(year, month, day)
            if value is not None:
                yield Mention(self._slot.name, value, start, end, DAY_ALONE if month is None else 1)

    def answer(self, text: Text) -> str | None:
        """Return the date that a day of the month gives alone ("the 3rd"), or None."""
        for word in text.words:
            number = text.spoken.ordinals.get(word.form)
            number = whole_number(word.form) if number is None else number
            iso_date = None if number is None else self._fit(None, None, number)
            if iso_date is not None:
                return iso_date
        return None

    def _fit(self, year: int | None, month: int | None, day: int) -> str | None:
        """Return the slot's date with these parts; None unless there is exactly one."""
        first, last = self._first, self._last
        if first is None or last is None:
            if month is None:
                return None
            moment = _date(year or LEAP, month, day)
            plain = moment.isoformat() if moment is not None else None
            return plain if year or plain is None else f"-{plain[4:]}"
        if month is None and (last - first).days > WITHIN:
            return None
        years = range(first.year, last.year + 1) if year is None else (year,)
        months = range(1, 13) if month is None else (month,)
        dates = [
            each
            for each in (_date(y, m, day) for y in years for m in months)
            if each is not None
            and first <= each <= last
            and not (each - first).days % max(1, int(self._slot.step))
        ]
        return dates[0].isoformat() if len(dates) == 1 else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except (ValueError, OverflowError):  # the latter if a number exceeds a C integer
        return None


def _filled(pattern: str, month: int, day: int, spoken: Lexicon) -> str | None:
    word = next((word for word, number in spoken.ordinals.items() if number == day), None)
    if len(spoken.months) < 12 or len(spoken.days) < day or ("{word}" in pattern and word is None):
        return None
    name = spoken.months[month - 1].capitalize()
    return pattern.format(day=day, nth=spoken.days[day - 1], word=word, month=name)


def readings(text: Text) -> Iterator[DateReading]:
    """Yield the dates in a text, overlapping ones included."""
    if not text.may_have(_marks(text.language)):
        return
    for pattern in _patterns(text.language):
        for match in pattern.finditer(text.text):
            groups = match.groupdict()
            day, name, year = _day(groups, text.spoken), groups.get("month"), groups.get("year")
            month = _month(name, text.spoken) if name else None
            if day is not None and (month is not None or not name):
                yield DateReading(*match.span(), int(year) if year else None, month, day)


def _day(groups: dict[str, str | None], spoken: Lexicon) -> int | None:
    if groups.get("word"):
        return spoken.ordinals.get(str(groups["word"]).lower())
    digits = re.match(r"\d+", groups.get("nth") or groups.get("day") or "")
    return int(digits[0]) if digits else None


def _month(word: str, spoken: Lexicon) -> int | None:
    """Return a month's number; None for a word that matches only without case (ſept)."""
    if word.isdecimal():
        return int(word)
    name, months = word.lower().rstrip("."), enumerate(spoken.months, 1)
    return next((number for number, month in months if month.startswith(name)), None)


@lru_cache(maxsize=8)
def _marks(language: str) -> frozenset[str]:
    """Words of which every date without a digit contains one."""
    return frozenset(map(str.casefold, lexicon(language).ordinals))


@lru_cache(maxsize=8)
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    spoken = lexicon(language)
    if len(spoken.months) < 12:
        return (_PLAIN,)
    endings = "|".join(map(re.escape, spoken.ordinal_endings))
    groups = {
        "day": r"(?P<day>\d{1,2})",
        "nth": rf"(?P<nth>\d{{1,2}}(?:{endings}))",
        "word": f"(?P<word>{any_of(spoken.ordinals)})",
        "month": rf"(?P<month>{any_of(spoken.months)}|(?:{any_of(_short(spoken))})\b\.?)",
    }
    year = rf"(?:,?\s+(?:(?:{any_of(spoken.year_links)})\s+)?(?P<year>\d{{4}}))?"
    patterns = [_pattern(each, groups, year) for each in spoken.dates]
    patterns += [_pattern(each, groups, "") for each in spoken.days_alone]
    if spoken.numeric_date:
        digits = {"day": groups["day"], "month": r"(?P<month>0?[1-9]|1[0-2])"}
        patterns.append(_pattern(spoken.numeric_date, digits, r"/?(?P<year>\d{4})?"))
    return (_PLAIN, *patterns)


def _pattern(text: str, groups: dict[str, str], ending: str) -> re.Pattern[str]:
    pattern = spelled_as(text, groups)
    return re.compile(rf"(?<![\w/])(?<!\d[.,:]){pattern}{ending}(?![\w/]|[:.,]\d)", re.IGNORECASE)


def _short(spoken: Lexicon) -> list[str]:
    return [month[:3] for month in spoken.months if len(month) > 4]


def spoken_days(day: int, spoken: Lexicon) -> Iterator[str]:
    """Yield the ways to say a day of the month without its month."""
    return filter(None, (_filled(form, 1, day, spoken) for form in spoken.days_alone))
