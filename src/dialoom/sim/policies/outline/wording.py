"""Verticals and their words: what can be ordered or booked, and how people speak of it.

    vertical = texts().verticals[0]                 # lang/en-selfdialogue.json
    pattern("from {name.store}").places             # ("name.store",)

No vertical has code of its own: its arguments, values, menu and lines are all in the file.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import NamedTuple

import msgspec

from dialoom.errors import UnknownNameError

_PLACE = re.compile(r"\{([^{}]+)\}")


class Pattern(NamedTuple):
    """One text: pieces and placeholders in turn, a piece first.

    Attributes:
        pieces: One more than there are placeholders.
        places: The placeholders' names.
    """

    pieces: tuple[str, ...]
    places: tuple[str, ...]


def pattern(text: str) -> Pattern:
    """Read a text with placeholders in braces."""
    parts = _PLACE.split(text)
    return Pattern(tuple(parts[::2]), tuple(parts[1::2]))


class Vertical(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One kind of transaction.

    Attributes:
        id: What labels begin with.
        vertical: What the ontology calls the transaction.
        required: Arguments that it needs.
        optional: Arguments that it may have.
        asked: All arguments, in the order in which the assistant asks for them.
        refused: Arguments of which a value may not be available.
        menu: The argument whose values have parts; empty where there is none.
        part: The argument that is a part, where parts can be asked for one by one.
        wish: The argument for changes of what the menu has.
        menus: Value to its parts; one without parts leaves them to the user.
        extras: Parts that may be put in the place of others; `part`'s values where there are none.
        values: Argument to its values.
        instructions: Id to what a worker is told.
        lines: Line id to its texts.
    """

    id: str
    vertical: str
    required: tuple[str, ...]
    optional: tuple[str, ...]
    asked: tuple[str, ...]
    refused: tuple[str, ...]
    menu: str
    part: str
    wish: str
    menus: dict[str, tuple[str, ...]]
    extras: tuple[str, ...]
    values: dict[str, tuple[str, ...]]
    instructions: dict[str, str]
    lines: dict[str, tuple[str, ...]]

    def options(self, argument: str) -> tuple[str, ...]:
        """Return the values of an argument."""
        return tuple(self.menus) if argument == self.menu else self.values[argument]


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One language's `lang/…-selfdialogue.json`.

    Attributes:
        language: Its code.
        verticals: What can be ordered or booked.
        leads: Words that may or may not count as part of the value after them.
        lines: Lines that all verticals share.
    """

    language: str
    leads: tuple[str, ...]
    verticals: tuple[Vertical, ...]
    lines: dict[str, tuple[str, ...]]


Lines = dict[str, tuple[Pattern, ...]]


@lru_cache(maxsize=8)
def texts(language: str = "en") -> Texts:
    """Return the words of a language.

    Raises:
        UnknownNameError: There are none for it.
    """
    folder, ending = resources.files("dialoom").joinpath("lang"), "-selfdialogue.json"
    known = [e.name.removesuffix(ending) for e in folder.iterdir() if e.name.endswith(ending)]
    if language not in known:
        raise UnknownNameError("language of self-dialogues", language, known)
    return msgspec.json.decode(folder.joinpath(f"{language}{ending}").read_bytes(), type=Texts)


@lru_cache(maxsize=32)
def _lines(place: int) -> Lines:
    held = texts()
    found = held.lines | held.verticals[place].lines
    return {name: tuple(map(pattern, said)) for name, said in found.items()}


def lines(vertical: Vertical) -> Lines:
    """Return the lines of a vertical and the shared ones, ready to be filled."""
    return _lines(texts().verticals.index(vertical))
