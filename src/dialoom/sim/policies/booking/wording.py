"""What user and bot say when a table is booked: texts by line, and how they are filled.

    wording = wording_of()                              # lang/en-booking.json
    wording.line("ask.cuisine").fill({})                # the bot has one text a line
    wording.lines("answer.cuisine")                     # the user has several

A line's id is the act's name, and after a dot what the act is about. Another wording is a JSON
object of line id to a text or a list of texts; lines it does not have stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from dialoom.corpus.files import parse_json, read_bytes
from dialoom.dialogue import Span
from dialoom.errors import FormatError, UnknownNameError
from dialoom.schema.template import Slot, parse

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
"""The bot's lines that name an entity, and the placeholder that stands for it."""

GIVEN = ("answer", "request", "update", "book")
"""The users' lines in which a placeholder called as its slot is what they want."""

MENTIONED = frozenset({"other", "more"})
"""Placeholders of values that are only mentioned."""


class Line(NamedTuple):
    """One text: pieces and placeholders in turn, a piece first.

    Attributes:
        pieces: One more than there are placeholders.
        places: The placeholders' names.
    """

    pieces: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def plain(self) -> str:
        """The text of a line without placeholders."""
        return self.pieces[0]

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with values in its placeholders."""
        if not self.places:
            return self.pieces[0]
        text = self.pieces[0]
        for place, piece in zip(self.places, self.pieces[1:], strict=True):
            text += values[place] + piece
        return text

    def spans(self, values: Mapping[str, str], at: int = 0) -> list[Span]:
        """Return where values of slots stand, mentioned ones not; `at` is where the text begins."""
        found = []
        at += len(self.pieces[0])
        for place, piece in zip(self.places, self.pieces[1:], strict=True):
            end = at + len(values[place])
            if place not in MENTIONED:
                found.append(Span(at, end, (place,)))
            at = end + len(piece)
        return found


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-booking.json`.

    Attributes:
        language: Its code.
        slots: Slot to the values of each knowledge base; one list where both have the same.
        names: The words that names of restaurants are made of: one of each list.
        lines: Line id to its texts.
    """

    language: str
    slots: dict[str, tuple[tuple[str, ...], ...]]
    names: tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
    lines: dict[str, str | tuple[str, ...]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> Texts:
    """Return the words of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    folder, ending = resources.files("dialoom").joinpath("lang"), "-booking.json"
    known = [e.name.removesuffix(ending) for e in folder.iterdir() if e.name.endswith(ending)]
    if language not in known:
        raise UnknownNameError("language of bookings", language, known)
    return msgspec.json.decode(folder.joinpath(f"{language}{ending}").read_bytes(), type=Texts)


class Wording:
    """The lines of a run, ready to be filled.

    Args:
        raw: Line id to its texts, all lines of the language.
    """

    def __init__(self, raw: Mapping[str, Sequence[str]]) -> None:
        self.raw = {name: tuple(found) for name, found in raw.items()}
        self._lines = {name: tuple(map(line_of, found)) for name, found in self.raw.items()}

    def lines(self, name: str) -> tuple[Line, ...]:
        """Return the texts of a line."""
        return self._lines[name]

    def line(self, name: str) -> Line:
        """Return the text of one of the bot's lines."""
        return self._lines[name][0]


@lru_cache(maxsize=4096)
def line_of(text: str) -> Line:
    """Read a text with placeholders in braces."""
    pieces, places = [""], []
    for part in parse(text).parts:
        if isinstance(part, Slot):
            places.append(part.name)
            pieces.append("")
        else:
            pieces[-1] += part
    return Line(tuple(pieces), tuple(places))


def wording_of(file: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Return the texts of every line: ours, or those of a file where it has them.

    Raises:
        MissingDataError: The file cannot be read.
        FormatError: It is no wording, or one of its lines cannot be said.
    """
    own = {name: (said,) if isinstance(said, str) else said for name, said in texts().lines.items()}
    if file is None:
        return own
    whole = own | _read(file, own)
    _check_distinct(whole, file)
    return whole


def _check_distinct(lines: Mapping[str, tuple[str, ...]], file: Path) -> None:
    first: dict[str, str] = {}
    for name in BOT:
        text = lines[name][0]
        if first.setdefault(text, name) != name:
            raise FormatError(file, f"{name} and {first[text]} are both {text!r}; expected others")


def _read(file: Path, own: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    raw = parse_json(read_bytes(file), file)
    if not isinstance(raw, dict) or not raw:
        raise FormatError(file, "expected an object of line id to a text or a list of texts")
    found: dict[str, tuple[str, ...]] = {}
    for name, said in raw.items():
        if name not in own:
            known = UnknownNameError("line", name, own)
            raise FormatError(file, str(known))
        found[name] = _texts_of(name, said, own[name], file)
    return found


def _texts_of(name: str, said: Any, own: Sequence[str], file: Path) -> tuple[str, ...]:
    listed = [said] if isinstance(said, str) else said
    if not isinstance(listed, list) or not listed:
        raise FormatError(file, f"{name} is {said!r}; expected a text, or a list of texts")
    if name in BOT and len(listed) > 1:
        raise FormatError(file, f"{name} has {len(listed)} texts; the bot says it in one way")
    for text in listed:
        _check_text(name, text, file)
        if not fits(text, own):
            must, _ = _places(own)
            right = ", ".join(f"{{{place}}}" for place in sorted(must)) or "none"
            raise FormatError(file, f"{name}: {text!r} should have the placeholders: {right}")
    return tuple(listed)


def fits(text: str, own: Sequence[str]) -> bool:
    """Tell whether a text has the placeholders that a line must have, and no others."""
    must, may = _places(own)
    places = line_of(text).places
    return must <= set(places) <= may and len(set(places)) == len(places)


def _check_text(name: str, text: Any, file: Path) -> None:
    """Refuse what is no line, or would be read as a call, a fact, an entity or silence."""
    if not isinstance(text, str) or not text.strip() or text != " ".join(text.split()):
        what = f"{name}: {text!r} is no line; expected words with single blanks between"
        raise FormatError(file, what)
    if "_" in "".join(line_of(text).pieces) or text.startswith("<"):
        what = f"{name}: {text!r} would not be read as a line; expected no `_`, nor `<` first"
        raise FormatError(file, what)


def _places(own: Sequence[str]) -> tuple[set[str], set[str]]:
    """Return the placeholders that the texts of a line must and may have."""
    sets = [set(line_of(text).places) for text in own]
    return set.intersection(*sets), set.union(*sets)
