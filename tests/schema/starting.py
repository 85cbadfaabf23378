"""The starter file with mistakes put in."""

from __future__ import annotations

from dialoom.schema.findings import Finding
from dialoom.schema.pack import starter
from dialoom.schema.yaml.reading import check_text

NAME = "pizza_order"


def changed(*changes: tuple[str, str]) -> str:
    """Return the starter with each first text replaced by the second, once."""
    text = starter(NAME)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def findings(*changes: tuple[str, str]) -> list[Finding]:
    """Return what a check of the changed starter finds."""
    return check_text(changed(*changes), "pizza.yaml")


def line_of(text: str, part: str) -> int:
    """Return the number of the first line that has `part` in it."""
    return next(n for n, line in enumerate(text.splitlines(), 1) if part in line)
