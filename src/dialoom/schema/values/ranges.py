"""The values of slots with a range: times, dates and numbers, in order.

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
"""The most values of a slot that are written out: a day has 1,440 minutes."""

DAY = 24 * 60
"""Minutes."""

OPEN: dict[str, tuple[int | str, int | str, int]] = {
    "time": ("00:00", "23:30", 30),
    "integer": (1, 9, 1),
    "amount": (20, 480, 20),
}
"""What stands for the range of a slot that has none: least, greatest, and distance."""


class Range(Struct, frozen=True):
    """Evenly spaced numbers, days or minutes of the day, by their place.

    Attributes:
        kind: What they are.
        start: The first: a number, the ordinal of a day, or a minute.
        step: The distance of two.
        size: How many there are.
    """

    kind: Literal["number", "date", "time"]
    start: int | Decimal
    step: int | Decimal
    size: int

    def at(self, place: int) -> int | float | str:
        """Return the value at a place, spelled as its kind is; after the last the first follows."""
        value = self.start + self.step * (place % self.size)
        if self.kind == "number":
            whole = isinstance(value, int) or value == value.to_integral_value()
            return int(value) if whole else float(value)
        if self.kind == "date":
            return date.fromordinal(int(value)).isoformat()
        hour, minute = divmod(int(value) % DAY, 60)
        return f"{hour:02}:{minute:02}"


def spaced(kind: str, least: Any, most: Any, step: float) -> Range | None:
    """Return the values of a type of slot from one to another; None where there are none."""
    first, last, distance = _measured(kind, least), _measured(kind, most), Decimal(str(step))
    if first is None or last is None or distance <= 0:
        return None
    if kind == "time" and last < first:
        last += DAY  # past midnight
    size = int((last - first) / distance) + 1 if last >= first else 0
    if not size:
        return None
    spelled: Literal["number", "date", "time"] = (
        "date" if kind == "date" else "time" if kind == "time" else "number"
    )
    if first == int(first) and distance == int(distance):  # much faster to reckon with
        return Range(spelled, int(first), int(distance), size)
    return Range(spelled, first, distance, size)


def _measured(kind: str, value: Any) -> Decimal | None:
    """A value as a number: of a date its day, of a time its minute; None of anything else."""
    if kind == "date":
        day = day_of(str(value))
        return None if day is None else Decimal(day.toordinal())
    if kind == "time":
        minute = minute_of(str(value))
        return None if minute is None else Decimal(minute)
    return Decimal(str(value)) if isinstance(value, int | float) else None


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


def samples(slot: Slot, most: int = LISTED) -> Iterator[Any]:
    """Yield canonical values of a slot in order, at most so many.

    Of free text they are its examples; of an open slot of times, dates or numbers some.
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
    found = spaced(slot.type, low, high, step)
    if found is None:  # dates without a year, as they are said
        days = (f"--{month:02}-{day:02}" for month in (3, 5) for day in (1, 2, 3, 12, 21, 30))
        return islice(days if slot.type == "date" else (), most)
    return map(found.at, range(min(found.size, most)))
