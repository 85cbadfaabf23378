"""Texts of user and bot in bookings, by line.

    lines = templates(wording_of())                     # lang/en-booking.json
    lines["ask.cuisine"][0]                             # the bot has one text a line
    lines["answer.cuisine"]                             # the user has several

A line's id is the act's name, and after a dot its object. Another wording is a JSON object of line
id to a text or a list of texts; missing lines keep their texts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import Span
from dialoom.errors import FormatError, UnknownNameError
from dialoom.schema.lexicon import texts_of
from dialoom.schema.template import Place, Template, parse

BOT = (
    "hello",
    "on_it",
    "ask.atmosphere",
    "ask.cuisine",
    "ask.location",
    "ask.number",
    "ask.price",
    "ask.restrictions",
    "look",
    "ready",
    "more",
    "offer",
    "another",
    "sorry",
    "was",
    "reserve",
    "tell.phone",
    "tell.address",
    "anything",
    "welcome",
)
"""The bot's lines; calls of the knowledge base have no words."""

NAMED = {"offer": "name", "was": "name", "tell.phone": "phone", "tell.address": "address"}
"""The bot's lines that name an entity, and its placeholder."""

MENTIONED = frozenset({"other", "more", "change"})
"""Placeholders of templates other than slots of the user's goal."""


class BookingTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-booking.json`: line id to texts, and words of restaurants.

    `slots` has the values of each knowledge base, one list if both have the same; `names` has lists
    of words, one of each for a restaurant's name.
    """

    language: str
    slots: dict[str, tuple[tuple[str, ...], ...]]
    names: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    lines: dict[str, str | tuple[str, ...]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> BookingTexts:
    """Return the words of a language; `UnknownNameError` if there are none."""
    return texts_of(language, "booking", "bookings", BookingTexts)


class BotTexts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-bots.json`; `wordings` maps line ids to texts, for each bot."""

    language: str
    wordings: tuple[dict[str, str], ...]


@lru_cache(maxsize=8)
def bots(language: str = "en") -> BotTexts:
    """Return the bundled wordings of the bot; `UnknownNameError` for other languages."""
    return texts_of(language, "bots", "bots", BotTexts)


def wording_of(wording: str | None = None) -> dict[str, tuple[str, ...]]:
    """Return the texts of every line: those of another wording where it has them, else ours.

    `wording` is a file, or the number of a bundled wording of the bot, from 1. Raises
    `UnknownNameError` for other numbers, `MissingDataError` for unreadable files, `FormatError` for
    malformed wordings and lines.
    """
    own = {name: (form,) if isinstance(form, str) else form for name, form in texts().lines.items()}
    if wording is None:
        return own
    if wording.isdecimal():
        return own | {name: (text,) for name, text in _bot(wording).items()}
    file = Path(wording)
    raw = parse_json(read_bytes(file), file)
    if not isinstance(raw, dict) or not raw:
        raise FormatError(file, "expected an object of line id to a text or a list of texts")
    for name in raw:
        if name not in own:
            raise FormatError(file, str(UnknownNameError("line", name, own)), code="unknown-name")
    whole = own | {name: _texts_of(name, form, own[name], file) for name, form in raw.items()}
    first: dict[str, str] = {}
    for name in BOT:
        text = whole[name][0]
        if first.setdefault(text, name) != name:
            raise FormatError(
                file, f"{name} and {first[text]} are both {text!r}; expected others", code="twice"
            )
    return whole


def _bot(number: str) -> dict[str, str]:
    numbered = {str(n): each for n, each in enumerate(bots().wordings, 1)}
    if number not in numbered:
        raise UnknownNameError("wording", number, numbered)
    return numbered[number]


def _texts_of(name: str, form: Any, own: Sequence[str], file: Path) -> tuple[str, ...]:
    forms = [form] if isinstance(form, str) else form
    if not isinstance(forms, list) or not forms:
        raise FormatError(file, f"{name} is {form!r}; expected a text, or a list of texts")
    if name in BOT and len(forms) > 1:
        raise FormatError(file, f"{name} has {len(forms)} texts; the bot says it in one way")
    for text in forms:
        _check_text(name, text, file)
        if not fits(text, own):
            right = ", ".join(f"{{{place}}}" for place in sorted(_needed(own))) or "none"
            raise FormatError(file, f"{name}: {text!r} should have the placeholders: {right}")
    return tuple(forms)


def fits(text: str, own: Sequence[str]) -> bool:
    """Return True if a text has the required placeholders of a line, and no others."""
    places = _places(text)
    may = {place for each in own for place in _places(each)}
    return _needed(own) <= set(places) <= may and len(set(places)) == len(places)


def _check_text(name: str, text: Any, file: Path) -> None:
    if not isinstance(text, str) or not text.strip() or text != " ".join(text.split()):
        what = f"{name}: {text!r} is no line; expected words with single blanks between"
        raise FormatError(file, what)
    if "_" in parse(text).bare or text.startswith("<"):
        what = f"{name}: {text!r} would not be read as a line; expected no `_`, nor `<` first"
        raise FormatError(file, what)


def _places(text: str) -> list[str]:
    return [slot.name for slot in parse(text).slots]


def _needed(own: Sequence[str]) -> set[str]:
    return set.intersection(*(set(_places(text)) for text in own))


Templates = Mapping[str, tuple[Template, ...]]
"""Id of a line to its templates."""


def templates(lines: Mapping[str, str | Sequence[str]]) -> dict[str, tuple[Template, ...]]:
    """Parse the texts of lines; a line has one text or several."""
    return {
        name: tuple(map(parse, (form,) if isinstance(form, str) else form))
        for name, form in lines.items()
    }


def spans(places: Iterable[Place], at: int = 0, besides: Iterable[str] = ()) -> tuple[Span, ...]:
    """Return the places of values as spans labelled by their slots.

    `at` is the offset of the text in the utterance; placeholders in `besides` get no span.
    """
    return tuple(
        Span(at + place.start, at + place.end, (place.slot,))
        for place in places
        if place.slot not in besides
    )
