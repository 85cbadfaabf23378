"""Reply templates: parsing, rendering with the spans of values, and inverse matching.

    template = parse("{doctor_name:s} is free at {time:s}.")
    template.render({"doctor_name": "Dr. Hill", "time": "7 pm"})
    # Rendered("Dr. Hill is free at 7 pm.", (Place("doctor_name", 0, 8), Place("time", 20, 24)))
    template.match("dr. hill is free at 7 pm")
    # Match({"doctor_name": "dr. hill", "time": "7 pm"}, ..., score=1.0)

Both published spellings of a placeholder are read: `{name:s}` of STAR's replies and `[NAME]` of
SAM's schemas. Inverse matching looks for the literal parts in order, without regular expressions,
so that no text makes it slow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
from rapidfuzz import fuzz

from dialoom.dialogue.annotation import TOKEN
from dialoom.errors import UsageError
from dialoom.schema.values import plain as render_value

PLACEHOLDER = re.compile(r"\{(\w+)(?::\w+)?\}")
"""A placeholder of a reply template, as STAR spells it."""

PLACE = re.compile(r"\[(\w+)\]")
"""A placeholder of a user's text, as SAM's schemas spell it."""

_ANY = re.compile(r"\{([\w.]+)(?::(\w+))?\}|\[([A-Z][A-Z0-9_]*)\]")

CLOSE = 80.0
"""Least similarity (rapidfuzz `fuzz.ratio`, 0 to 100) of a literal part in a loose match."""

SHORT = 8
"""Literal parts of fewer characters have to match exactly even in a loose match."""

LONG = 2_000
"""Texts of more characters, far more than any turn has, are not matched loosely."""

_MARKS = " \t\n.,;:!?"
"""Characters that may be missing at the end of a text."""


class Slot(msgspec.Struct, frozen=True):
    """A placeholder; `form` is the type in its spelling, such as `s` or `d`."""

    name: str
    form: str | None = None


class Place(msgspec.Struct, frozen=True):
    """The place of a slot's value in a text, from `start` to `end` (exclusive)."""

    slot: str
    start: int
    end: int


class Rendered(msgspec.Struct, frozen=True):
    """A rendered template: the text, and the places of the values in it."""

    text: str
    places: tuple[Place, ...] = ()


class Match(msgspec.Struct, frozen=True):
    """The values with which a template gives a text; `score` (0 to 1) is 1 for an exact match."""

    values: dict[str, str]
    places: tuple[Place, ...]
    score: float


class Template(msgspec.Struct, frozen=True):
    """A parsed template: literal texts and placeholders in order."""

    parts: tuple[str | Slot, ...]

    @property
    def slots(self) -> tuple[Slot, ...]:
        """The placeholders in order."""
        return tuple(part for part in self.parts if isinstance(part, Slot))

    @property
    def bare(self) -> str:
        """The literal parts joined, without the placeholders."""
        return " ".join(" ".join(p for p in self.parts if isinstance(p, str)).split())

    def render(self, values: Mapping[str, Any], language: str = "en") -> Rendered:
        """Return the text with values of its slots, and their places; `UsageError` if one lacks."""
        text, places = "", []
        for part in self.parts:
            if isinstance(part, str):
                text += part
                continue
            if part.name not in values:
                raise UsageError(
                    f"the template needs a value for {part.name}: {self.bare!r}", code="not-given"
                )
            value = render_value(values[part.name], language)
            places.append(Place(part.name, len(text), len(text) + len(value)))
            text += value
        return Rendered(text, tuple(places))

    def match(self, text: str, *, loose: bool = False) -> Match | None:
        """Return the values with which this template gives a text, or None.

        Case, spacing and punctuation at the end are ignored. A `loose` match also accepts literal
        parts that are only similar, with a score below 1.
        """
        whole, trimmed = _fold(text), _fold(text.rstrip(_MARKS))
        alignment = _align(self.parts, whole, _exactly)
        if alignment is None:
            alignment = _align(_trim(self.parts), trimmed, _exactly)
        if alignment is None and loose and self.bare:
            alignment = _align(_trim(self.parts), trimmed, _nearly)
        return None if alignment is None else _read_off(text, *alignment)


class _Folded(NamedTuple):
    """A text in lower case with single spaces, and each character's original index."""

    text: str
    origin: tuple[int, ...]


_Found = tuple[int, int, float]
_Find = Callable[[str, str, int, bool], _Found | None]
"""A function that finds a literal part in a text from an index on, or only at the text's end."""


@lru_cache(maxsize=8192)
def _fold(text: str) -> _Folded:
    letters: list[str] = []
    origin: list[int] = []
    for place, letter in enumerate(text):
        small = " " if letter.isspace() else letter.lower()[:1]
        if small != " " or (letters and letters[-1] != " "):
            letters.append(small)
            origin.append(place)
    if letters and letters[-1] == " ":
        del letters[-1], origin[-1]
    return _Folded("".join(letters), (*origin, len(text)))


def _trim(parts: tuple[str | Slot, ...]) -> tuple[str | Slot, ...]:
    last = parts[-1] if parts else None
    if not isinstance(last, str):
        return parts
    stem = last.rstrip(_MARKS)
    return (*parts[:-1], stem) if stem else parts[:-1]


def _align(
    parts: tuple[str | Slot, ...], folded: _Folded, find: _Find
) -> tuple[_Folded, list[Place], float] | None:
    """Place the parts in order; a placeholder gets the text up to the next literal part."""
    text, at, waiting = folded.text, 0, None
    places: list[Place] = []
    similarity, weight = 0.0, 0
    for number, part in enumerate(parts):
        if isinstance(part, Slot):
            if waiting is not None:
                end = _word_end(text, at)
                places.append(Place(waiting.name, at, end))
                at = end
            waiting = part
            continue
        spot = _locate(part, text, at, waiting is not None, number == len(parts) - 1, find)
        if spot is None:
            return None
        start, end, score = spot
        if waiting is not None:
            places.append(Place(waiting.name, at, start))
        similarity, weight = similarity + score * len(part), weight + len(part)
        at, waiting = end, None
    if waiting is not None:
        places.append(Place(waiting.name, at, len(text)))
    elif at < len(text):
        return None
    filled = all(text[place.start : place.end].strip() for place in places)
    return (folded, places, similarity / weight if weight else 1.0) if filled else None


def _locate(
    part: str, text: str, at: int, after_slot: bool, last: bool, find: _Find
) -> _Found | None:
    literal = _fold(part).text
    if not literal:  # white space only: it separates two placeholders, and is ignored elsewhere
        return _exactly(" ", text, at + 1, False) if after_slot and not last else (at, at, 1.0)
    # the space next to a placeholder belongs to the literal part
    if part[:1].isspace() and after_slot:
        literal = " " + literal
    if part[-1:].isspace() and not last:
        literal += " "
    spot = find(literal, text, at + after_slot, last and after_slot)
    return spot if after_slot or spot is None or spot[0] == at else None


def _exactly(literal: str, text: str, start: int, last: bool) -> _Found | None:
    place = len(text) - len(literal) if last else text.find(literal, start)
    fits = place >= start and text.startswith(literal, place)
    return (place, place + len(literal), 1.0) if fits else None


def _nearly(literal: str, text: str, start: int, last: bool) -> _Found | None:
    exact = _exactly(literal, text, start, last)
    if exact is not None or len(literal) < SHORT or len(text) > LONG:
        return exact
    spots = [match.span() for match in TOKEN.finditer(text, start)]
    size = len(TOKEN.findall(literal))
    runs = [
        (spots[first][0], spots[first + count - 1][1])
        for count in (size, size - 1, size + 1)
        if count > 0
        for first in range(len(spots) - count + 1)
    ]
    scored = [
        (fuzz.ratio(literal.strip(), text[first:end]), -first, end)
        for first, end in runs
        if not last or end == len(text)
    ]
    score, first, end = max(scored, default=(0.0, 0, 0))
    return (-first, end, score / 100) if score >= CLOSE else None


def _word_end(text: str, at: int) -> int:
    end = text.find(" ", at + 1)
    return len(text) if end < 0 else end


def _read_off(text: str, folded: _Folded, places: list[Place], score: float) -> Match:
    values: dict[str, str] = {}
    spans = []
    for place in places:
        inner = folded.text[place.start : place.end]
        start = place.start + len(inner) - len(inner.lstrip())
        end = place.start + len(inner.rstrip())
        first, after = folded.origin[start], folded.origin[end - 1] + 1
        spans.append(Place(place.slot, first, after))
        values.setdefault(place.slot, text[first:after])
    return Match(values, tuple(spans), score)


@lru_cache(maxsize=4096)
def parse(text: str) -> Template:
    """Parse a template (cached)."""
    parts: list[str | Slot] = []
    at = 0
    for match in _ANY.finditer(text):
        if match.start() > at:
            parts.append(text[at : match.start()])
        parts.append(Slot(match[1] or match[3], match[2]))
        at = match.end()
    if at < len(text):
        parts.append(text[at:])
    return Template(tuple(parts))


def match_best(
    text: str, templates: Mapping[str, Template], *, least: float = 0.0
) -> tuple[str, Match] | None:
    """Return the name of the template that gives a text, with a match of `least` (0 to 1) or more.

    Exact matches come before loose ones, then more literal words, then earlier templates.
    """
    best: tuple[tuple[float, int], str, Match] | None = None
    for name, template in templates.items():
        fit = template.match(text, loose=True)
        if fit is None or fit.score < least:
            continue
        rank = (fit.score, len(template.bare.split()))
        if best is None or rank > best[0]:
            best = (rank, name, fit)
    return None if best is None else (best[1], best[2])
