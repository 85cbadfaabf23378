"""The fields of the wizard's query forms: their types, and how entered text is read as a value."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal

from dialoom.collect.message import LONGEST_TEXT, Refused, visible
from dialoom.dialogue.annotation import Struct, Value
from dialoom.dialogue.constraint import Operator
from dialoom.errors import clip
from dialoom.schema.slot import Slot
from dialoom.schema.values import read

FieldType = Literal[
    "Categorical",
    "CategoricalMultiple",
    "ShortString",
    "LongString",
    "Integer",
    "Boolean",
    "Date",
    "Time",
    "RequestType",
]

Need = Literal["required", "conditional", "optional"]


class Field(Struct, frozen=True, kw_only=True):
    """One field of a form.

    Attributes:
        categories: The canonical values to choose from; empty where any value is allowed.
        labels: Canonical value to its label, where the two differ.
        minimum: The lowest value; a text for dates and times; None without a limit.
        maximum: The highest value, likewise.
        step: The distance between allowed values; in minutes for times, in days for dates.
        operators: The operators that it may be compared with, the default first.
        need: Whether it has to be filled in: always, never, or under a condition.
        required_when: Another field to the values with which this one is required.
        required_unless: Another field; this one is required if that one is empty.
        hint: A description of its slot.
    """

    name: str
    readable: str
    type: FieldType
    categories: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    minimum: int | float | str | None = None
    maximum: int | float | str | None = None
    step: int | float = 1
    unit: str | None = None
    operators: tuple[Operator, ...] = ("equal",)
    need: Need = "optional"
    required_when: dict[str, tuple[str, ...]] | None = None
    required_unless: str | None = None
    hint: str | None = None


def read_value(field: Field, slot: Slot | None, raw: Any, language: str) -> Value:
    """Return the canonical value of what was typed or chosen.

    Args:
        raw: The JSON value that the page sent.

    Raises:
        Refused: `bad_value`, with what the field accepts.
    """
    value = _EXACT.get(field.type, _listed)(field, raw)
    if value is None and slot is not None:
        value = _said(field, slot, raw, language)
    if value is None:
        what = f"{field.readable} cannot be {clip(str(raw))!r}; {right(field)}"
        raise Refused("bad_value", what, field=field.name, right=right(field))
    return value


def right(field: Field) -> str:
    """Return a description, for the wizard, of the values that a field accepts."""
    if field.categories:
        texts = [field.labels.get(value, value) for value in field.categories]
        return f"one of {', '.join(texts)}"
    if field.minimum is not None and field.maximum is not None:
        step = f", in steps of {field.step}" if field.step != 1 else ""
        return f"{field.minimum} to {field.maximum}{step}"
    names = {"Integer": "a number", "Boolean": "yes or no", "Date": "a date", "Time": "a time"}
    return names.get(field.type, f"a text of at most {LONGEST_TEXT} characters")


def _listed(field: Field, raw: Any) -> Value:
    if not isinstance(raw, str):
        return None
    text = " ".join(raw.split()).casefold()
    for value in field.categories:
        if text in (value.casefold(), field.labels.get(value, value).casefold()):
            return value
    return None


def _text(field: Field, raw: Any) -> Value:
    if isinstance(raw, bool | float) or not isinstance(raw, str | int):
        return None
    text = " ".join(str(raw).split())
    return text if 0 < len(text) <= LONGEST_TEXT and text.isprintable() and visible(text) else None


def _number(field: Field, raw: Any) -> Value:
    if isinstance(raw, str):
        plain = raw.strip().replace(",", "")
        plain = plain.removesuffix(field.unit or "").strip()
        if not _NUMBER.fullmatch(plain):
            return None
        raw = float(plain)
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    low, high = field.minimum, field.maximum
    above = not isinstance(low, int | float) or raw >= low
    within = above and (not isinstance(high, int | float) or raw <= high)
    return raw if within and abs(raw) < 10**15 else None


_NUMBER = re.compile(r"-?\d{1,15}(?:\.\d{0,15})?")


def _truth(field: Field, raw: Any) -> Value:
    if isinstance(raw, str):
        return {"true": True, "false": False}.get(raw.strip().casefold())
    return raw if isinstance(raw, bool) else None


_EXACT: dict[FieldType, Callable[[Field, Any], Value]] = {
    "ShortString": _text,
    "LongString": _text,
    "Integer": _number,
    "Boolean": _truth,
}
"""Type of a field to the function that reads its values; the values of others are categories."""


def _said(field: Field, slot: Slot, raw: Any, language: str) -> Value:
    """Return the value of a text as people say it (`7:30 pm`); None where it is not one."""
    if not isinstance(raw, str) or field.type in ("ShortString", "LongString"):
        return None
    value: Value = read(slot, raw, language)
    return value
