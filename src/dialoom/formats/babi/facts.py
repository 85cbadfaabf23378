"""Facts of a knowledge base, one on each line, and the items that they describe.

    resto_paris_cheap_italian_6stars R_phone resto_paris_cheap_italian_6stars_phone
    resto_paris_cheap_italian_6stars R_price cheap

The facts of an item follow one another, each with its name as the first word. An item of another
format may have a name of several words, which becomes a fact of its own, or no name; both are
numbered:

    hilton_hotel R_name hilton hotel
    _2 R_temperature 20
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from dialoom.dialogue.event import Item

NAME = "name"
"""The key of an item with its name."""


class Fact(NamedTuple):
    """A line of facts: the item, the attribute and the value."""

    item: str
    attribute: str
    value: str


_FACTS: dict[str, re.Pattern[str]] = {
    prefix: re.compile(rf"(\S+) {prefix}(\S+) (.*)", re.DOTALL) for prefix in ("R_", "r_")
}


def read_fact(line: str, prefix: str) -> Fact | None:
    """Return the fact of a line; None if it is no fact."""
    match = _FACTS[prefix].fullmatch(line)
    return Fact(*match.groups()) if match else None


def items(facts: Iterable[Fact]) -> tuple[Item, ...]:
    """Return the items that facts describe; facts of one item follow one another."""
    entries: list[Item] = []
    word = ""
    for fact in facts:
        if not entries or fact.item != word or fact.attribute in entries[-1]:
            word = fact.item
            entries.append(_begin(fact, len(entries) + 1))
        if fact.attribute != NAME or len(entries[-1]) > 1:
            entries[-1][fact.attribute] = fact.value
    return tuple(entries)


def _begin(fact: Fact, number: int) -> Item:
    if fact.attribute == NAME:
        return {NAME: fact.value}
    return {} if fact.item == _number(number) else {NAME: fact.item}


def is_stated(facts: Iterable[Fact]) -> bool:
    """True if the items of these facts would be written as the same facts."""
    facts = list(facts)
    return list(state(items(facts))) == facts


def state(items: Iterable[Item]) -> Iterator[Fact]:
    """Yield the facts of items; a bare name has none, and values other than text are JSON."""
    for number, item in enumerate(items, start=1):
        name = text_of(item[NAME]) if NAME in item else ""
        word = _word(name) or _number(number)
        if NAME in item and word != name:
            yield Fact(word, NAME, name)
        for key, value in item.items():
            if key != NAME and _word(key):
                yield Fact(word, _word(key), text_of(value))


def spell(fact: Fact, prefix: str, separator: str = " ") -> str:
    """Return a fact as a line."""
    return f"{fact.item} {prefix}{fact.attribute}{separator}{fact.value}"


def text_of(value: Any) -> str:
    """Return a value as text: itself, or as JSON if it is no text."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _word(text: str) -> str:
    return "_".join(text.split())


def _number(number: int) -> str:
    return f"_{number}"
