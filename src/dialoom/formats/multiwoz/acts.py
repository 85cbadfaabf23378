"""The acts and spans of MultiWOZ's turns, in `data.json` and next to MultiWOZ 2.2.

Values are in small letters, and some are not as they were said. With a span, the value of an act is
the text of the span, and the file's value is its canonical one. Acts name slots otherwise than
states do ("Price", "pricerange"): a slot of an act gets the name that the state has for it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.corpus.files import parse_json
from dialoom.dialogue import Argument
from dialoom.formats.base.multi_file import content
from dialoom.formats.base.turn_list import Annotation, Fields, argument, span_of, token_spans
from dialoom.formats.base.values import at

NOTHING = "none"
"""The slot of acts without any, and the value of a slot that is mentioned without one."""

ASKED = "?"
"""The value of a slot that is asked for."""

SHORT = {
    "arrive": "arriveBy",
    "depart": "departure",
    "dest": "destination",
    "leave": "leaveAt",
    "price": "pricerange",
}
"""Slot of an act, in small letters, to that of a state, where it is another word."""

FILES = ("dialogue_acts.json", "system_acts.json")
"""The file of the system's acts next to `data.json` of MultiWOZ 2.0, and of 2.1."""

Slots = Mapping[str, Collection[str]]
"""Domain to the slots of its state."""

Spoken = dict[tuple[str, str, str], str]
"""Act, slot and value to the text of the span."""


def system_acts(file: Path) -> Mapping[str, Any]:
    """Return the system's acts next to a file, if any, by dialogue and turn (from 1)."""
    place = next((each for name in FILES if (each := file.with_name(name)).is_file()), None)
    return _opened(place, place.stat().st_mtime_ns) if place else {}


@lru_cache(maxsize=1)
def _opened(place: Path, changed: int) -> Mapping[str, Any]:
    return at(parse_json(content(place), place), dict)


def mark(
    turn: Fields, text: str, marks: Annotation, *, words: bool, slots: Slots | None = None
) -> None:
    """Add the acts and spans of a turn; what is not in the layout stays in `extra`.

    Args:
        words: Whether places are the first and last word, or characters with an exclusive end.
        slots: Domain to the slots of its state, whose names those of acts are replaced by.
    """
    held_by = slots or {}
    acts = turn.take("dialog_act", dict)
    pairs = [(name, slot, value) for name in acts for slot, value in _pairs(acts[name])]
    spoken = _spans(turn, text, marks, pairs, held_by, words=words)
    for name, entries in acts.items():
        arguments = [
            _as_said(
                argument(_in_state(name, slot, held_by), *_given(value)),
                spoken.get((name, slot, str(value))),
            )
            for slot, value in _pairs(entries)
            if slot != NOTHING
        ]
        whole = isinstance(entries, list) and all(map(_is_pair, entries))
        extra = None if whole else {"dialog_act": entries}
        marks.act(_domain(name), name.rpartition("-")[2], *arguments, extra=extra)


def _given(value: Any) -> tuple[Any, ...]:
    return () if value in (ASKED, NOTHING) else (value,)


def _domain(name: str) -> str | None:
    return name.rpartition("-")[0].lower() or None


def _in_state(act: str, slot: str, slots: Slots) -> str:
    """Return the name of an act's slot in the state of its domain; its own if that has none."""
    name = slot.lower()
    names = slots.get(_domain(act) or "", ())
    ways = (name, f"book {name}", SHORT.get(name, name))
    return next((way for way in ways if way in names), slot)


def _pairs(entries: Any) -> Iterator[tuple[str, Any]]:
    yield from filter(_is_pair, at(entries, list))


def _is_pair(entry: Any) -> bool:
    """True if an entry is a slot and its value, or says that there is none."""
    names = entry[:1] if isinstance(entry, list) and len(entry) == 2 else [None]
    return isinstance(names[0], str) and (names[0] != NOTHING or entry[1] == NOTHING)


def _spans(
    turn: Fields,
    text: str,
    marks: Annotation,
    pairs: Sequence[tuple[str, str, Any]],
    slots: Slots,
    *,
    words: bool,
) -> Spoken:
    """Add the spans of a turn; return the texts of those whose value an act has."""
    texts: Spoken = {}
    places = token_spans(text.split(), text) if words else []
    for entry in turn.take("span_info", list):
        span = None
        if _is_span(entry):
            name, slot, value, first, last = entry
            start, end = _characters(places, first, last) if words else (first, last)
            has_act = (name, slot, value) in pairs
            label = _in_state(name, slot, slots)
            span = span_of(text, start, end, label, None if has_act else value)
            if span:
                marks.span(_domain(name), replace(span, extra={} if has_act else {"act": name}))
                texts |= {(name, slot, value): text[start:end]} if has_act else {}
        if span is None:
            turn.rest.setdefault("span_info", []).append(entry)
    return texts


def _is_span(entry: Any) -> bool:
    names = entry[:3] if isinstance(entry, list) and len(entry) == 5 else ()
    return bool(names) and all(isinstance(each, str) for each in names)


def _as_said(slot: Argument, text: str | None) -> Argument:
    """Return a slot with its value as it was said, if that was in other letters."""
    if not text or slot.values == (text,):
        return slot
    return Argument(slot.slot, (text,), slot.values or None)


def _characters(words: Sequence[tuple[int, int]], first: Any, last: Any) -> tuple[Any, Any]:
    if type(first) is int and type(last) is int and 0 <= first <= last < len(words):
        return words[first][0], words[last][1]
    return None, None
