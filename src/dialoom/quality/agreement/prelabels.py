"""Counts of pre-annotated marks that annotators kept, changed, removed or added.

A mark is kept where an annotator has the same. It is changed where they have another value in its
place, or, of a span, another span or label that shares characters with it; what is left of theirs
is added. Each annotator counts.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from dialoom.dialogue import Dialogue, Layer
from dialoom.dialogue.annotation import PRELABELS
from dialoom.dialogue.views import annotators, utterances
from dialoom.quality.agreement.kinds import KINDS, Mark, marks_of

FATES = ("kept", "changed", "removed", "added")


class Fates:
    """Counts of pre-annotated marks by kind, label and what annotators did with them."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str, str]] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count a dialogue."""
        for event, utterance in utterances(dialogue):
            layers = [layer for layer in utterance.layers if layer.source == PRELABELS]
            for before in layers:
                for after in annotators(utterance):
                    self._compare(event, before, after)

    def _compare(self, event: int, before: Layer, after: Layer) -> None:
        for kind in KINDS:
            old, new = _marks(kind, event, before), _marks(kind, event, after)
            overlap = old & new
            left = new - overlap
            for mark in sorted(overlap):
                self._count(kind, mark, "kept")
            for mark in sorted(old - overlap):
                other = next((each for each in sorted(left) if _same_place(mark, each)), None)
                self._count(kind, mark, "changed" if other else "removed")
                left -= {other} if other else set()
            for mark in sorted(left):
                self._count(kind, mark, "added")

    def _count(self, kind: str, mark: Mark, fate: str) -> None:
        self.counts[kind, mark[0].label, fate] += 1

    def table(self) -> dict[str, dict[str, dict[str, int]]]:
        """Return kind of annotation to label to the counts (kept, changed, …), as JSON values."""
        figures: dict[str, Any] = {}
        for kind, label, _ in sorted(self.counts):
            fates = {fate: self.counts[kind, label, fate] for fate in FATES}
            figures.setdefault(kind, {})[label] = fates
        return figures


def _marks(kind: str, event: int, layer: Layer) -> set[Mark]:
    return {mark for part in layer.parts for mark in marks_of(kind, event, part) or ()}


def _same_place(one: Mark, other: Mark) -> bool:
    old, new = one[0], other[0]
    if old.end:
        return old.start < new.end and new.start < old.end
    return old == new
