"""Labels of segments by one annotator, or by two who need not agree on a value's boundaries.

A final value is accepted, an abandoned one rejected; if the transaction fails, a wanted value is
neither. One segment may carry two labels and two segments may overlap, since both annotators are
kept (Byrne et al. 2019).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from dialoom.dialogue import Span
from dialoom.schema.template import Place, Rendered
from dialoom.sim.core.grammar import Grammar, filled
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.verticals import Vertical, texts

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
    for argument in (*vertical.asked, *vertical.reported):
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


def _one_of(names: list[str], values: dict[str, str], rng: SeededRng) -> str:
    fitting = [name for name in names if name in values]
    return rng.choice(fitting) if fitting else ""


ACCEPT, REJECT = ".accept", ".reject"

STATUS = "status"
"""The placeholder of words about the whole transaction."""

AGREE, PLAIN, WIDE = 0, 1, 2
"""Choices of a second annotator: the same label; the label without its outcome; a segment with the
article or preposition before the value."""

WAYS = 4
"""Number of choices with the fourth one: no label at all."""


class Labels:
    """Labels the texts of one dialogue; `second` adds a second annotator's labels."""

    def __init__(self, vertical: Vertical, order: Order, second: bool, rng: SeededRng) -> None:
        self.vertical, self.order, self.second, self.rng = vertical, order, second, rng

    def spans(self, text: str, places: Sequence[Place]) -> tuple[Span, ...]:
        """Return the segments of a text, those of the second annotator after the first's."""
        return tuple(span for place in places for span in self._of(text, place))

    def _of(self, text: str, place: Place) -> Iterator[Span]:
        start, end = place.start, place.end
        label = self._label(place.slot, text[start:end])
        way = self.rng.below(WAYS) if self.second else WAYS
        wide = _before(text, start) if way == WIDE else start
        if wide < start:
            yield Span(wide, end, (label,))
        labels: tuple[str, ...] = (label,)
        if way == AGREE:
            labels = (label, label)
        elif way == PLAIN and place.slot != STATUS:
            labels = (label, f"{self.vertical.id}.{place.slot}")
        yield Span(start, end, labels)
        wish, part = self.order.wish, self.vertical.part
        if self.second and wish is not None and part and place.slot == self.vertical.wish:
            for inner in wish.places:  # the parts that the change is about
                valid = inner.slot == "other" or self.order.adds
                label = f"{self.vertical.id}.{part}{self._outcome(wanted=valid)}"
                yield Span(start + inner.start, start + inner.end, (label,))

    def _label(self, argument: str, text: str) -> str:
        if argument == STATUS:
            return self.vertical.id + (ACCEPT if self.order.success else REJECT)
        valid = self.order.last.get(argument, "").lower() == text.lower()
        return f"{self.vertical.id}.{argument}{self._outcome(wanted=valid)}"

    def _outcome(self, *, wanted: bool) -> str:
        if not wanted:
            return REJECT
        return ACCEPT if self.order.success else ""


def _before(text: str, start: int) -> int:
    if start < 2 or text[start - 1] != " ":
        return start
    begin = text.rfind(" ", 0, start - 1) + 1
    return begin if text[begin : start - 1].lower() in texts().leads else start
