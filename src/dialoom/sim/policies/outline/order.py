"""What somebody orders or books: the values in the end, and those that are given up on the way."""

from __future__ import annotations

from typing import NamedTuple

from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.wording import Lines, Pattern, Vertical

OPTIONAL = 2
"""An optional argument is wanted once in so many times; the same for wishes."""

TROUBLE, MIND, FAILURE = 2, 5, 10
"""Once in so many times a value is not available, the user thinks again, nothing comes of it."""


class Mention(NamedTuple):
    """A value that stands in a text.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        argument: What it is a value of.
        value: The value.
    """

    start: int
    end: int
    argument: str
    value: str


class Wish(NamedTuple):
    """A change of what the menu has.

    Attributes:
        text: How it is said.
        parts: Where parts stand in that text, each with whether it is wanted.
    """

    text: str
    parts: tuple[tuple[int, int, bool], ...]


class Order(NamedTuple):
    """What somebody wants.

    Attributes:
        last: Argument to its value in the end.
        first: Argument to the value that is said first, where it is another.
        trouble: The argument whose first value is not available; empty where all are.
        mind: The argument about which the user thinks again; empty where there is none.
        wish: The change of what the menu has.
        success: Whether the transaction comes about.
    """

    last: dict[str, str]
    first: dict[str, str]
    trouble: str
    mind: str
    wish: Wish | None
    success: bool


def draw(vertical: Vertical, lines: Lines, rng: SeededRng) -> Order:
    """Draw what somebody wants."""
    last: dict[str, str] = {}
    for argument in vertical.asked:
        if argument not in (vertical.wish, vertical.part) and (
            argument in vertical.required or rng.once_in(OPTIONAL)
        ):
            last[argument] = rng.choice(vertical.options(argument))
    parts = vertical.menus.get(last.get(vertical.menu, ""), ())
    wish = None
    if vertical.part and not parts:
        last[vertical.part] = rng.choice(vertical.values[vertical.part])
    elif parts and rng.once_in(OPTIONAL):
        wish = _wish(vertical, parts, lines, rng)
        last[vertical.wish] = wish.text
    first: dict[str, str] = {}
    settled = vertical.menu if {vertical.wish, vertical.part} & last.keys() else ""
    scarce = [name for name in vertical.refused if name != settled]  # its parts were asked for
    trouble = _one_of(scarce, last, rng) if rng.once_in(TROUBLE) else ""
    plain = [name for name in vertical.values if name not in (trouble, vertical.part)]
    mind = _one_of(plain, last, rng) if rng.once_in(MIND) else ""
    for argument in filter(None, (trouble, mind)):
        first[argument] = another(vertical.options(argument), last[argument], rng)
    return Order(last, first, trouble, mind, wish, not rng.once_in(FAILURE))


def _one_of(names: list[str], held: dict[str, str], rng: SeededRng) -> str:
    fitting = [name for name in names if name in held]
    return rng.choice(fitting) if fitting else ""


def another(values: tuple[str, ...], value: str, rng: SeededRng) -> str:
    """Return one of the values that is not the given one."""
    place = rng.below(len(values) - 1)
    return values[place] if values[place] != value else values[-1]


def _wish(vertical: Vertical, parts: tuple[str, ...], lines: Lines, rng: SeededRng) -> Wish:
    """Draw an omission, a substitution or an addition."""
    part = rng.choice(parts)
    others = vertical.extras or vertical.values[vertical.part]
    other = rng.choice([name for name in others if name not in parts])
    kind = rng.choice(("omission", "substitution", "addition"))
    said = rng.choice(lines[kind])
    text, mentions = fill(said, {"part": part, "other": other})
    wanted = {"part": kind == "addition", "other": True}
    return Wish(text, tuple((m.start, m.end, wanted[m.argument]) for m in mentions))


def fill(said: Pattern, values: dict[str, str], at: int = 0) -> tuple[str, list[Mention]]:
    """Return a text with values in its placeholders, and where they stand.

    Args:
        said: The text.
        values: Placeholder to value.
        at: Where the text begins.
    """
    text = said.pieces[0]
    mentions = []
    for place, piece in zip(said.places, said.pieces[1:], strict=True):
        value = values[place]
        start = at + len(text)
        mentions.append(Mention(start, start + len(value), place, value))
        text += value + piece
    return text, mentions
