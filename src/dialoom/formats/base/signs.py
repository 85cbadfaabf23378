"""Evidence that a file is in a layout: the fields that only this layout has.

    SIGNS = Signs("dialogue_id", Sign("turns[].speaker", "USER", "SYSTEM"), "turns[].utterance")
    sight = Sight.of(b'[{"dialogue_id": "1", "turns": [{"speaker": "user", "utterance": "Hi.")
    SIGNS.lacking(sight)        # "'turns[].speaker' as USER or SYSTEM (it is 'user')"

Evidence is taken from the first dialogues of a file, as the JSON values that they are, and never
from words anywhere in the text. A layout is half-recognised if its first field is there and another
one is not: such a file is refused, and the message names the fields.

    "turns[].speaker"       a key of the objects in a list
    "number|id"             one of several keys
    "*.log"                 the values of an object with any keys
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from dialoom.corpus.files import BOM, NOT_JSON
from dialoom.errors import clip
from dialoom.formats.base.framing import LINES, LIST, OBJECT, TEXT, form_of
from dialoom.formats.base.values import spoken

ENTRIES = 20
"""Number of dialogues whose fields are looked at; the first ones may have no turns."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|["\[\]{},]', re.DOTALL)
_CLOSING = {b"[": b"]", b"{": b"}"}
_NOTHING = object()


def beginning(data: bytes) -> Any:
    """Return the JSON value that a content begins with, closed at the last comma if it is cut off.

    The rest of the content is ignored. A content that is no JSON gives an object that equals none.
    """
    open: list[bytes] = []
    end = 0
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in _CLOSING:
            open.append(_CLOSING[mark])
            end = token.end()
        elif mark in (b"]", b"}"):
            if not open or open.pop() != mark:
                return _NOTHING
            end = token.end()
            if not open:
                break
        elif mark == b",":
            end = token.start()
        elif mark == b'"':
            break
    try:
        return msgspec.json.decode(data[:end] + b"".join(reversed(open)))
    except NOT_JSON:
        return _NOTHING


@dataclass(frozen=True)
class Sight:
    """The first bytes of a file, without a byte order mark; `cut` if the file goes on."""

    head: bytes
    cut: bool

    @classmethod
    def of(cls, head: bytes, *, cut: bool = True) -> Sight:
        """Return the sight of a content's first bytes."""
        return cls(head.removeprefix(BOM), cut)

    @cached_property
    def form(self) -> str:
        """The form of the content: a JSON list, lines, one object, or a text."""
        form = form_of(self.head)
        return TEXT if form != TEXT and self.value is _NOTHING else form

    @cached_property
    def value(self) -> Any:
        """The JSON value of the beginning; of lines the first one."""
        if not self.cut:
            with suppress(*NOT_JSON):
                return msgspec.json.decode(self.head)
        return beginning(self.head)

    @cached_property
    def entries(self) -> Sequence[Any]:
        """The first values of a list or of lines, or the only object."""
        if self.form == LINES:
            return [beginning(line) for line in self.head.split(b"\n")[:ENTRIES] if line.strip()]
        if self.form == LIST:
            values = self.value[:ENTRIES] if isinstance(self.value, list) else ()
            return [beginning(e.encode()) if isinstance(e, str) else e for e in values]
        return (self.value,) if self.form == OBJECT else ()


class Sign:
    """A field of a layout.

    Args:
        values: The values that it may have, their type, or a pattern that they begin with; any if
            empty.
    """

    def __init__(self, path: str, *values: str | type | re.Pattern[str]) -> None:
        self.path, self.values = path, values
        self._steps = re.findall(r"\[\]|[^.\[\]]+", path)

    def found(self, entries: Sequence[Any]) -> list[Any]:
        """Return the values of the field in some dialogues.

        Empty lists, which have all fields, are no evidence next to a dialogue without the field.
        """
        several = [list(_at(entry, self._steps)) for entry in entries]
        values = [value for each in several for value in each]
        return values if all(several) or any(value is not _EMPTY for value in values) else []

    def lacking(self, entries: Sequence[Any]) -> str:
        """Return in words what some dialogues lack; empty if this field is in one of them."""
        hits = self.found(entries)
        if not self.values:
            return "" if hits else repr(self.path)
        other = [value for value in hits if value is not _EMPTY and not self._allows(value)]
        if hits and not other:
            return ""
        sample = f" (it is {clip(repr(other[0]), 40)})" if other else ""
        names = (
            spoken(each()) if isinstance(each, type) else getattr(each, "pattern", str(each))
            for each in self.values
        )
        return f"{self.path!r} as {' or '.join(names)}{sample}"

    def _allows(self, value: Any) -> bool:
        types = tuple(each for each in self.values if isinstance(each, type))
        patterns = [each for each in self.values if isinstance(each, re.Pattern)]
        is_match = isinstance(value, str) and any(each.match(value) for each in patterns)
        return value in self.values or (bool(types) and isinstance(value, types)) or is_match


_EMPTY = object()
"""Marks the fields of the objects of an empty list."""


def _at(value: Any, steps: Sequence[str]) -> Iterator[Any]:
    """Yield what is at a path; an empty list on the way has all fields."""
    if not steps:
        yield value
    elif steps[0] == "[]":
        if isinstance(value, list):
            yield from (hit for each in value for hit in _at(each, steps[1:]))
            if not value:
                yield _EMPTY
    elif isinstance(value, dict):
        names = list(value) if steps[0] == "*" else steps[0].split("|")
        for name in names:
            if name in value:
                yield from _at(value[name], steps[1:])


class Signs:
    """The fields that a layout has and no other layout has all of; the first one is its mark.

    Args:
        without: Places of fields that this layout does not have.
        keyed: Whether the dialogues are the values of an object, rather than a list.
    """

    def __init__(
        self, *fields: str | Sign, without: Sequence[str] = (), keyed: bool = False
    ) -> None:
        self.fields = [each if isinstance(each, Sign) else Sign(each) for each in fields]
        self.without = [Sign(each) for each in without]
        self.keyed = keyed

    def lacking(self, sight: Sight) -> str | None:
        """Return what a file lacks to be in this layout; None if it does not begin like it."""
        entries = sight.entries
        if self.keyed and sight.form == OBJECT and isinstance(sight.value, dict):
            entries = list(sight.value.values())[:ENTRIES]
        if not self.fields or not self.fields[0].found(entries):
            return None
        groups = (each.found(entries) for each in self.fields)
        evident = any(value is not _EMPTY for values in groups for value in values)
        others = (value for each in self.without for value in each.found(entries))
        if not evident or any(value is not _EMPTY for value in others):
            return None
        return " and ".join(filter(None, (each.lacking(entries) for each in self.fields)))


NO_SIGNS = Signs()
"""The signs of a format that is not recognised by fields."""
