"""How the values of slots are said: canonical values on one side, spoken variants on the other.

    spell(Slot(name="time", type="time"), "17:30")            # ("5:30 pm", "17:30")
    spell(Slot(name="day", type="date"), "2021-05-03")        # ("3 May", "May 3", "May 3rd", …)
    spell(Slot(name="mode", type="category", values={"OnFoot": ("walking",)}), "OnFoot")
                                                              # ("walking",)
    read(slot, "5:30 pm")                                     # "17:30"

Canonical are values of the list, times as 17:30 and dates as 2021-05-03. The words are the
language's, from `lang/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import lru_cache
from importlib import resources
from typing import Any

import msgspec

from dialoom.schema.lexicon import Lexicon, lexicon
from dialoom.schema.slot import Slot
from dialoom.schema.values import render

LISTED = 1500
"""The most values of a slot that are written out: a day has 1,440 minutes."""

_IDENTIFIER = re.compile(r"\S*(?:_|[a-z][A-Z])\S*")
_DIGIT = re.compile(r"\d")
_CLOCK = re.compile(r"\d{1,2}:\d{2}\S{0,2}")


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How one language writes values.

    Attributes:
        days: The days of a month in order, as ordinals.
        dates: Patterns of a date, with {day}, {nth} and {month}.
        last: What stands before the last of several values.
    """

    days: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    last: str = ", "


@lru_cache(maxsize=8)
def wording(language: str) -> Wording:
    """Return how a language writes values; one without a file of its own writes them plainly."""
    file = resources.files("dialoom").joinpath("lang", f"{language}-values.json")
    if not file.is_file():
        return Wording()
    return msgspec.json.decode(file.read_bytes(), type=Wording)


def spell(slot: Slot, value: Any, language: str = "en") -> tuple[str, ...]:
    """Return what people say for a value of a slot, the plainest first; never empty."""
    if isinstance(value, list | tuple):
        return _several(slot, value, language)
    if slot.type in ("category", "categories"):
        variants = slot.values.get(str(value), ())
        own = () if variants and is_identifier(str(value)) else (str(value),)
        return tuple(dict.fromkeys((*own, *variants)))
    if slot.type == "time":
        return _times(str(value), lexicon(language))
    if slot.type == "date":
        return _dates(str(value), language)
    if slot.type in ("integer", "amount"):
        return _numbers(slot, value, language)
    return (render(value, language),)


def _several(slot: Slot, values: list[Any] | tuple[Any, ...], language: str) -> tuple[str, ...]:
    ways = [spell(slot, value, language) for value in values]
    many = max(map(len, ways), default=1)
    lines = ([way[n % len(way)] for way in ways] for n in range(many))
    return tuple(dict.fromkeys(_joined(line, language) for line in lines))


def _joined(texts: list[str], language: str) -> str:
    if len(texts) < 2:
        return "".join(texts)
    return ", ".join(texts[:-1]) + wording(language).last + texts[-1]


def _times(plain: str, spoken: Lexicon) -> tuple[str, ...]:
    minutes = minute_of(plain)
    if minutes is None:
        return (plain,)
    hour, minute = divmod(minutes, 60)
    marks = {half: mark for mark, half in reversed(spoken.meridiem.items())}
    mark = marks.get(12 if hour >= 12 else 0)
    words = [word for word, at in spoken.times.items() if at == hour and not minute]
    if mark is None:
        return (plain, *words)
    clock = f"{hour % 12 or 12}:{minute:02}" if minute else str(hour % 12 or 12)
    return (f"{clock} {mark}", plain, *words)


def _dates(plain: str, language: str) -> tuple[str, ...]:
    day, spoken, written = day_of(plain), lexicon(language), wording(language)
    if day is None or len(spoken.months) < 12 or len(written.days) < 31:
        return (plain,)
    parts = {
        "day": str(day.day),
        "nth": written.days[day.day - 1],
        "month": spoken.months[day.month - 1].capitalize(),
    }
    return tuple(pattern.format(**parts) for pattern in written.dates) or (plain,)


def _numbers(slot: Slot, value: Any, language: str) -> tuple[str, ...]:
    plain = render(value, language)
    words = [word for word, number in lexicon(language).numbers.items() if number == value]
    unit = f" {slot.unit}" if slot.type == "amount" and slot.unit else ""
    return tuple(dict.fromkeys(text + unit for text in (plain, *words[:1])))


def is_identifier(value: str) -> bool:
    """Tell whether a value is spelled for machines, so that nobody would say it as it is."""
    return _IDENTIFIER.fullmatch(value) is not None


def sayable(value: str, language: str = "en") -> bool:
    """Tell whether a listed value can be said as it is: no identifier, no code of digits.

    >>> sayable("3rd floor"), sayable("Route 66"), sayable("A38x")
    (True, True, False)
    """
    endings = lexicon(language).ordinal_endings
    for word in value.split():
        rest = word.strip(".,:;!?").lstrip("0123456789")
        if _DIGIT.search(word) and rest and rest not in endings and not _CLOCK.fullmatch(word):
            return False
    return not is_identifier(value)


def read(slot: Slot, text: str, language: str = "en") -> Any:
    """Return the value of a slot that somebody said in these very words, or None.

    Free text is what it says; of the other types only values that the slot has are found.
    """
    said = " ".join(text.split()).casefold()
    if slot.type in ("short text", "long text"):
        return text.strip() or None
    if slot.type == "boolean":
        spoken = lexicon(language)
        return said in spoken.yes if said in (*spoken.yes, *spoken.no) else None
    for value in values(slot):
        if any(said == variant.casefold() for variant in spell(slot, value, language)):
            return value
    return None


def values(slot: Slot, most: int = LISTED) -> Iterator[Any]:
    """Yield the canonical values of a slot, in order, at most so many; none of free text."""
    if slot.type in ("category", "categories"):
        yield from list(slot.values)[:most]
    elif slot.type == "boolean":
        yield from (True, False)
    elif slot.type not in ("short text", "long text"):
        yield from _range(slot, most)


def _range(slot: Slot, most: int) -> Iterator[Any]:
    if slot.type == "date":
        first, last = day_of(str(slot.minimum)), day_of(str(slot.maximum))
        if first is not None and last is not None:
            days = range(0, (last - first).days + 1, max(1, int(slot.step)))
            yield from ((first + timedelta(n)).isoformat() for n in days[:most])
    elif slot.type == "time":
        start, end = minute_of(str(slot.minimum)), minute_of(str(slot.maximum))
        if start is not None and end is not None:
            times = range(start, end + 1, max(1, int(slot.step)))
            yield from (f"{n // 60:02}:{n % 60:02}" for n in times[:most])
    elif isinstance(slot.minimum, int | float) and isinstance(slot.maximum, int | float):
        steps = int((slot.maximum - slot.minimum) / slot.step + 1e-9) + 1
        for n in range(min(steps, most)):
            number = slot.minimum + n * slot.step
            yield int(number) if float(number).is_integer() else round(number, 9)


def minute_of(text: str) -> int | None:
    """Return the minute of the day of a time written as 17:30, or None."""
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", text)
    return int(match[1]) * 60 + int(match[2]) if match else None


def day_of(text: str) -> date | None:
    """Return the day of a date written as 2021-05-03, or None."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def listed(slot: Slot, language: str = "en") -> tuple[str, ...] | None:
    """Return the values of a slot as the categories of a published API; None where it has none.

    Times are spelled by the clock, dates as days of the month where the month goes without saying.
    Where two dates would look alike, in different years, none is listed.
    """
    if slot.type in ("category", "categories"):
        return tuple(slot.values)
    if slot.type not in ("date", "time"):
        return None
    found = list(values(slot))
    if slot.type == "date":
        numbers = [int(value[-2:]) - 1 for value in found]
        days = wording(language).days
        if len(set(numbers)) == len(found) and len(days) == 31:
            return tuple(days[number] for number in numbers)
    texts = tuple(dict.fromkeys(spell(slot, value, language)[0] for value in found))
    return texts if len(texts) == len(found) else None
