"""Dates of a task file relative to its day: `today`, `today + 3`, `today - 30`.

    resolve("today + 3", "2026-11-27")                      # "2026-11-30"

They may be a limit of a slot, in a given row, or at the end of a condition. They are
replaced when the file is read, so that other code sees only dates.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta
from typing import Any

from dialoom.schema.places import Document

RELATIVE = r"today(?: [-+] \d{1,5})?"
"""Pattern of a date relative to the day of the task."""

_DATE, _AT_END = re.compile(rf"\A{RELATIVE}\Z"), re.compile(rf"(?<= ){RELATIVE}\Z")

_CONDITIONS = frozenset({"constraints", "refuses", "when"})
"""Keys of conditions, which end by such a date."""

_SPOKEN = frozenset({"user", "system", "description", "values", "examples", "answers", "lists"})
"""Keys below which nothing is replaced."""


def resolve(text: str, today: str, pattern: re.Pattern[str] = _DATE) -> str:
    """Return a text relative to today as its date, any other text unchanged."""

    def dated(match: re.Match[str]) -> str:
        _, sign, days = (*match[0].split(" "), "+", "0")[:3]
        with suppress(ValueError, OverflowError):
            shift = timedelta(days=int(days) if sign == "+" else -int(days))
            return (date.fromisoformat(today) + shift).isoformat()
        return match[0]

    return pattern.sub(dated, text)


def with_today(document: Document) -> Document:
    """Return a document with plain dates, if it states its day."""
    value = document.value
    today = value.get("today") if isinstance(value, dict) else None
    if not isinstance(today, str):
        return document
    sections = ("slots", "constraints", "tables", "apis", "flow")
    parts = {key: _dated(value[key], today, key in _CONDITIONS) for key in sections if key in value}
    return document._replace(value={**value, **parts})


def _dated(value: Any, today: str, ends: bool) -> Any:
    """Return a value with its dates; with `ends`, dates at the end of conditions."""
    if isinstance(value, str):
        return resolve(value, today, _AT_END if ends else _DATE)
    if isinstance(value, list):
        return [_dated(each, today, ends) for each in value]
    if isinstance(value, dict):
        return {
            key: entry if key in _SPOKEN else _dated(entry, today, ends or key in _CONDITIONS)
            for key, entry in value.items()
        }
    return value
