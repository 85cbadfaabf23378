"""Labels of what was said: by one annotator, or by two who need not agree on where a value ends.

A value that holds in the end is accepted, one that was given up is rejected; where nothing comes of
the transaction, what was wanted is neither. One segment may carry two labels and two segments may
overlap, since both annotators are kept (seed 001).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dialoom.dialogue import Span
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.outline.order import Mention, Order
from dialoom.sim.policies.outline.wording import Vertical, texts

ACCEPT, REJECT = ".accept", ".reject"

STATUS = "status"
"""The placeholder of words about the whole transaction."""

AGREE, PLAIN, WIDE = 0, 1, 2
"""What a second annotator does, of four ways: gives the same label, leaves the outcome out, takes
in an article or preposition before; or does not label the value at all."""
WAYS = 4


class Labels:
    """Labels the texts of one dialogue.

    Args:
        vertical: What the dialogue is about.
        order: What was wanted.
        second: Whether a second annotator labels it too.
        rng: What is drawn.
    """

    def __init__(self, vertical: Vertical, order: Order, second: bool, rng: SeededRng) -> None:
        self.vertical, self.order, self.second, self.rng = vertical, order, second, rng

    def spans(self, text: str, mentions: Sequence[Mention]) -> tuple[Span, ...]:
        """Return the segments of a text, those of the second annotator beside the first's."""
        return tuple(span for mention in mentions for span in self._of(text, mention))

    def _of(self, text: str, mention: Mention) -> Iterator[Span]:
        label = self._label(mention)
        start, end = mention.start, mention.end
        way = self.rng.below(WAYS) if self.second else WAYS
        wide = _before(text, start) if way == WIDE else start
        if wide < start:
            yield Span(wide, end, (label,))
        labels: tuple[str, ...] = (label,)
        if way == AGREE:
            labels = (label, label)
        elif way == PLAIN and mention.argument != STATUS:
            labels = (label, self._plain(mention.argument))
        yield Span(start, end, labels)
        if self.second and mention.argument == self.vertical.wish and self.vertical.part:
            yield from self._parts(mention)

    def _parts(self, mention: Mention) -> Iterator[Span]:
        """Yield the parts that a change is about."""
        if self.order.wish is None:
            return
        name = self._plain(self.vertical.part)
        at = mention.start
        for start, end, wanted in self.order.wish.parts:
            outcome = REJECT if not wanted else ACCEPT if self.order.success else ""
            yield Span(at + start, at + end, (name + outcome,))

    def _plain(self, argument: str) -> str:
        return f"{self.vertical.id}.{argument}"

    def _label(self, mention: Mention) -> str:
        success = self.order.success
        if mention.argument == STATUS:
            return self.vertical.id + (ACCEPT if success else REJECT)
        label = self._plain(mention.argument)
        if self.order.last.get(mention.argument) != mention.value:
            return label + REJECT
        return label + ACCEPT if success else label


def _before(text: str, start: int) -> int:
    """Return where an article or preposition before a value begins; `start` where there is none."""
    if start < 2 or text[start - 1] != " ":
        return start
    begin = text.rfind(" ", 0, start - 1) + 1
    return begin if text[begin : start - 1].lower() in texts().leads else start
