"""What values a parameter or column takes, read off the values that were seen.

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
"""Values of a category at most; a slot with more is free text."""

REPEATED = 3
"""How often each value of a category is seen, on the average, at least."""

LONG = 4
"""Words of a value, on the average, from which it is a sentence and no name."""

SHOWN = 12
"""Examples of free text that are kept."""

NEARLY_ALL = 0.9
"""The share of values that have a type from which all are taken to have it."""

_LONGEST = 200
"""Characters of a value that a task file may have."""

_MEASURED: tuple[SlotType, ...] = ("time", "date")

_WHOLE = re.compile(r"\d{4}-\d\d-\d\d|\d\d:\d\d")
"""Matches a date with its year, or a time of day."""

_Raw = dict[str, Any]


def typed(seen: Counter[Any], language: str) -> _Raw:
    """Return the type of values and which there are, as a task file says it of a slot.

    Args:
        seen: JSON value to how often it was seen; at least one.
        language: The language of the values.
    """
    kinds = Counter[type]()
    for value, count in seen.items():
        kinds[type(value)] += count
    if set(kinds) <= {bool}:
        return {"type": "boolean"}
    numbers = [n for value in seen if (n := _number(value)) is not None]
    if len(numbers) == len(seen):
        whole = all(float(n).is_integer() for n in numbers)
        low, high = min(numbers), max(numbers)
        return {"type": "integer" if whole else "amount", "minimum": low, "maximum": high}
    texts = Counter[str]()
    for value, count in seen.items():
        texts[" ".join(str(value).split())[:_LONGEST]] += count
    return _measured(texts, language) or _listed(texts, language) or _free(texts)


def column(seen: Counter[Any], language: str) -> _Raw:
    """Return the type of values and which there are, as a task file says it of a column."""
    lists = [value for value in seen if isinstance(value, tuple)]
    if lists:
        steps = [[str(step) for step in value] for value in lists if value]
        return {"type": "steps", "lists": steps[:SHOWN] or [["-"]]}
    found = typed(seen, language)
    if "values" in found:
        return {"type": "category", "values": list(found["values"])}
    if "examples" in found:
        return {"type": "short text", "values": found["examples"]}
    if found["type"] in _MEASURED:
        return {"type": "short text", "values": _common(map(str, seen))}
    return found


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and text == str(int(text)) else None


def _measured(texts: Counter[str], language: str) -> _Raw | None:
    """Times and dates: what a slot of that type reads as a whole."""
    for kind in _MEASURED:
        slot = Slot(name=kind, type=kind)
        found = {text: str(read(slot, text, language) or "") for text in texts}
        held = [value for value in found.values() if _WHOLE.fullmatch(value)]
        count = sum(n for text, n in texts.items() if _WHOLE.fullmatch(found[text]))
        if held and count >= NEARLY_ALL * texts.total():
            return {"type": kind, "from": min(held), "to": max(held)}
    return None


def _listed(texts: Counter[str], language: str) -> _Raw | None:
    """A category: few values, each seen several times; those seen once may be slips."""
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
    """The words of a value, on the average."""
    return sum(len(text.split()) * n for text, n in texts.items()) / texts.total()


def _common(texts: Iterable[str]) -> list[str]:
    return [text for text in texts if text.strip()][:SHOWN] or ["-"]
