"""The values of slots with a range: times, dates and numbers, in order.

tuple(ranged(Slot(name="time", type="time", minimum="17:00", maximum="18:00", step=30)))
# ("17:00", "17:30", "18:00")
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import islice
from typing import Any

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
    """Yield canonical values of a slot in order, at most so many: of free text its examples."""
    if slot.type == "boolean":
        return iter((True, False))
    if slot.type in ("category", "categories"):
        return islice(slot.values, most)
    return islice(slot.examples if slot.type.endswith(" text") else ranged(slot), most)


def ranged(slot: Slot) -> Iterator[Any]:
    """Yield the canonical values of a slot of times, dates or numbers; of an open one some."""
    low, high, step = slot.minimum, slot.maximum, slot.step
    if (low is None or high is None) and slot.type in OPEN:
        low, high, step = OPEN[slot.type]
    if slot.type == "date":
        yield from _dates(low, high, step)
    elif slot.type == "time":
        start, end = minute_of(str(low)), minute_of(str(high))
        if start is not None and end is not None:
            last = start + (end - start) % DAY  # it may go past midnight
            for each in range(start, last + 1, max(1, int(step))):
                yield f"{each % DAY // 60:02}:{each % 60:02}"
    elif isinstance(low, int | float) and isinstance(high, int | float):
        for place in range(int((high - low) / step + 1e-9) + 1):
            number = low + place * step
            yield int(number) if float(number).is_integer() else round(number, 9)


def _dates(low: Any, high: Any, step: float) -> Iterator[str]:
    first, last = day_of(str(low)), day_of(str(high))
    if first is None or last is None:
        # without a year, as dates are said
        yield from (f"--{month:02}-{day:02}" for month in (3, 5) for day in (1, 2, 3, 12, 21, 30))
        return
    for days in range(0, (last - first).days + 1, max(1, int(step))):
        yield (first + timedelta(days)).isoformat()
