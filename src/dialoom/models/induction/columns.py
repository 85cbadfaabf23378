"""Types of parameters and columns, inferred from the values that occurred.

typed(Counter({"7 pm": 12, "8:30 pm": 3}), "en")   # {"type": "time", "from": "19:00", …}
typed(Counter({"Cheap": 40, "Pricey": 31}), "en")  # {"type": "category", "values": {…}}
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from dialoom.schema.slot import Slot, SlotType
from dialoom.schema.values import read

MOST_VALUES = 60
"""Most values of a category; a slot with more is free text."""

REPEATED = 3
"""Least mean number of occurrences of a category's values."""

LONG = 4
"""Least mean number of words of long texts; categories and short texts have fewer."""

SHOWN = 12
"""Most examples of free text that are kept."""

NEARLY_ALL = 0.9
"""Least share of values of a type for a parameter or column to have that type."""

_LONGEST = 200

_MEASURED: tuple[SlotType, ...] = ("time", "date")

_WHOLE = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")
"""Matches a date with its year, or a time of day."""

_Raw = dict[str, Any]


def typed(values: Counter[Any], language: str) -> _Raw:
    """Return the keys of a slot in a task file: type, and values, range or examples.

    `values` has JSON values with their counts; at least one.
    """
    kinds = Counter[type]()
    for value, count in values.items():
        kinds[type(value)] += count
    if set(kinds) <= {bool}:
        return {"type": "boolean"}
    numbers = [n for value in values if (n := _number(value)) is not None]
    if len(numbers) == len(values):
        whole = all(float(n).is_integer() for n in numbers)
        low, high = min(numbers), max(numbers)
        return {"type": "integer" if whole else "amount", "minimum": low, "maximum": high}
    texts = Counter[str]()
    for value, count in values.items():
        texts[" ".join(str(value).split())[:_LONGEST]] += count
    return _measured(texts, language) or _listed(texts, language) or _free(texts)


def column(values: Counter[Any], language: str) -> _Raw:
    """Return the keys of a column in a task file; arguments as of `typed`."""
    lists = [value for value in values if isinstance(value, tuple)]
    if lists:
        steps = [[str(step) for step in value] for value in lists if value]
        return {"type": "steps", "lists": steps[:SHOWN] or [["-"]]}
    keys = typed(values, language)
    if "values" in keys:
        return {"type": "category", "values": list(keys["values"])}
    if "examples" in keys:
        return {"type": "short text", "values": keys["examples"]}
    if keys["type"] in _MEASURED:
        return {"type": "short text", "values": _common(map(str, values))}
    return keys


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and text == str(int(text)) else None


def _measured(texts: Counter[str], language: str) -> _Raw | None:
    """Return times or dates: values that a slot of that type reads as a whole; None if others."""
    for kind in _MEASURED:
        slot = Slot(name=kind, type=kind)
        readings = {text: str(read(slot, text, language) or "") for text in texts}
        matches = [value for value in readings.values() if _WHOLE.fullmatch(value)]
        count = sum(n for text, n in texts.items() if _WHOLE.fullmatch(readings[text]))
        if matches and count >= NEARLY_ALL * texts.total():
            return {"type": kind, "from": min(matches), "to": max(matches)}
    return None


def _listed(texts: Counter[str], language: str) -> _Raw | None:
    """Return a category: few short values, each repeated; None if others.

    Values that occur once are left out as noise.
    """
    by_sound: dict[str, Counter[str]] = {}
    for text, count in texts.items():
        by_sound.setdefault(text.casefold(), Counter())[text] += count
    spelt = {max(same, key=lambda t: same[t]): same.total() for same in by_sound.values()}
    often = {text: n for text, n in spelt.items() if n > 1 and text}
    if not 2 <= len(often) <= MOST_VALUES or texts.total() < REPEATED * len(spelt):
        return None
    if _length(texts) >= LONG:
        return None
    values: dict[str, list[str]] = {text: [] for text in sorted(often, key=lambda t: -often[t])}
    return {"type": "category", "values": values}


def _free(texts: Counter[str]) -> _Raw:
    kind = "long text" if _length(texts) >= LONG else "short text"
    return {"type": kind, "examples": _common(t for t, _ in texts.most_common())}


def _length(texts: Counter[str]) -> float:
    return sum(len(text.split()) * n for text, n in texts.items()) / texts.total()


def _common(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.strip()][:SHOWN] or ["-"]
