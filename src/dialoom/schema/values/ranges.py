"""Ranges of times, dates and numbers: the values of a slot in order.

evening = spaced("time", "17:00", "18:00", 30)
evening.size, evening.at(1)      # 3, "17:30"
tuple(samples(Slot(name="time", type="time", minimum="17:00", maximum="18:00", step=30)))
# ("17:00", "17:30", "18:00")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any, Literal

from dialoom.dialogue.annotation import Struct
from dialoom.schema.slot import Slot

LISTED = 1500
"""Most values of a slot that are listed: more than the 1,440 minutes of a day."""

DAY = 24 * 60

OPEN: dict[str, tuple[int | str, int | str, int]] = {
    "time": ("00:00", "23:30", 30),
    "integer": (1, 9, 1),
    "amount": (20, 480, 20),
}
"""Type to the default range of a slot without one: least, greatest, step (minutes for times)."""


class Range(Struct, frozen=True):
    """Evenly spaced numbers, dates (ordinals, days) or times of the day (minutes)."""

    kind: Literal["number", "date", "time"]
    start: int | Decimal
    step: int | Decimal
    size: int

    def at(self, place: int) -> int | float | str:
        """Return the value at an index, modulo `size`, in its canonical form."""
        value = self.start + self.step * (place % self.size)
        if self.kind == "number":
            whole = isinstance(value, int) or value == value.to_integral_value()
            return int(value) if whole else float(value)
        if self.kind == "date":
            return date.fromordinal(int(value)).isoformat()
        hour, minute = divmod(int(value) % DAY, 60)
        return f"{hour:02}:{minute:02}"


def spaced(kind: str, least: Any, most: Any, step: float) -> Range | None:
    """Return the range between two values; None if it is empty or a bound is not valid.

    A last time before the first one is on the next day. Steps are numbers, days, or minutes.
    """
    bounds = measured(kind, least), measured(kind, most)
    if None in bounds or step <= 0:
        return None
    first, last, distance = (Decimal(str(number)) for number in (*bounds, step))
    if kind == "time" and last < first:
        last += DAY  # past midnight
    size = int((last - first) / distance) + 1 if last >= first else 0
    if not size:
        return None
    form: Literal["number", "date", "time"] = (
        "date" if kind == "date" else "time" if kind == "time" else "number"
    )
    if first == int(first) and distance == int(distance):  # integers are much faster than decimals
        return Range(form, int(first), int(distance), size)
    return Range(form, first, distance, size)


def measured(kind: str, value: Any) -> int | float | None:
    """Return a date's ordinal, a time's minute or a number; None if invalid."""
    if kind == "date":
        day = day_of(str(value))
        return None if day is None else day.toordinal()
    if kind == "time":
        return minute_of(str(value))
    if isinstance(value, bool) or kind not in ("integer", "amount", "number"):
        return None
    return value if isinstance(value, int | float) else None


def minute_of(text: str) -> int | None:
    """Return the minute of the day of a time spelled as 17:30; None for other texts."""
    match = re.fullmatch(r"([01]\d|2[0-3]):([0-5]\d)", text)
    return int(match[1]) * 60 + int(match[2]) if match else None


def day_of(text: str) -> date | None:
    """Return the day of a date spelled as 2021-05-03; None for other texts."""
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def samples(slot: Slot, most: int = LISTED) -> Iterator[Any]:
    """Yield at most `most` canonical values of a slot, in order.

    Free text has its examples; times, dates or numbers without a range those of `OPEN`.
    """
    if slot.type == "boolean":
        return iter((True, False))
    if slot.type in ("category", "categories"):
        return islice(slot.values, most)
    if slot.type.endswith(" text"):
        return islice(slot.examples, most)
    low, high, step = slot.minimum, slot.maximum, slot.step
    if (low is None or high is None) and slot.type in OPEN:
        low, high, step = OPEN[slot.type]
    span = spaced(slot.type, low, high, step)
    if span is None:  # dates without a year, for a slot without a range
        days = (f"--{month:02}-{day:02}" for month in (3, 5) for day in (1, 2, 3, 12, 21, 30))
        return islice(days if slot.type == "date" else (), most)
    return map(span.at, range(min(span.size, most)))
