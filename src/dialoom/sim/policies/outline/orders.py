"""The values of an order or booking: those at the end, and those that were replaced."""

from __future__ import annotations

from typing import NamedTuple

from dialoom.schema.template import Rendered
from dialoom.sim.core.grammar import Grammar, filled
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.verticals import Vertical

OPTIONAL = 2
"""One in so many orders has an optional argument, or a change of menu values."""

TROUBLE, MIND, FAILURE = 2, 5, 10
"""One in so many orders has a value that is not available, a value that the user changes at the
summary, no success in the end."""


class Order(NamedTuple):
    """An order.

    Attributes:
        last: Argument to its final value.
        first: Argument to a different first value.
        trouble: The argument whose first value is not available; may be empty.
        mind: The argument that the user reconsiders; may be empty.
        wish: Template of a change of menu values, with `part` and `other`.
        adds: True if the change keeps the part that it names.
    """

    last: dict[str, str]
    first: dict[str, str]
    trouble: str
    mind: str
    wish: Rendered | None
    adds: bool
    success: bool


def draw(vertical: Vertical, lines: Grammar, rng: SeededRng) -> Order:
    """Draw an order."""
    last: dict[str, str] = {}
    for argument in (*vertical.asked, *vertical.told):
        if argument not in (vertical.wish, vertical.part) and (
            argument in vertical.required or rng.once_in(OPTIONAL)
        ):
            last[argument] = rng.choice(vertical.options(argument))
    parts = vertical.menus.get(last.get(vertical.menu, ""), ())
    wish, kind = None, ""
    if vertical.part and not parts:
        last[vertical.part] = rng.choice(vertical.values[vertical.part])
    elif parts and rng.once_in(OPTIONAL):
        others = vertical.extras or vertical.values[vertical.part]
        kind = rng.choice(("omission", "substitution", "addition"))
        other = rng.choice([name for name in others if name not in parts])
        wished = {"part": rng.choice(parts), "other": other}
        wish = filled(lines.phrase(kind, rng, wished), wished)
        last[vertical.wish] = wish.text
    settled = vertical.menu if {vertical.wish, vertical.part} & last.keys() else ""
    scarce = [name for name in vertical.refused if name != settled]  # its parts were asked for
    trouble = _one_of(scarce, last, rng) if rng.once_in(TROUBLE) else ""
    plain = [
        n for n in vertical.asked if n in vertical.values and n not in (trouble, vertical.part)
    ]
    mind = _one_of(plain, last, rng) if rng.once_in(MIND) else ""
    first = {
        argument: rng.another(vertical.options(argument), last[argument])
        for argument in filter(None, (trouble, mind))
    }
    success = not rng.once_in(FAILURE)
    return Order(last, first, trouble, mind, wish, kind == "addition", success)


def _one_of(names: list[str], held: dict[str, str], rng: SeededRng) -> str:
    fitting = [name for name in names if name in held]
    return rng.choice(fitting) if fitting else ""
