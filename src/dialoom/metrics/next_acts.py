"""Prediction of the acts of the next turn: names, slots, values, and all of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

from dialoom.dialogue import NextActs, Question, ServiceAct
from dialoom.dialogue.annotation import Struct
from dialoom.metrics.base import Counts, Guess, Score, Signature, share
from dialoom.metrics.overlap import f1_scores, overlaps

UNITS = {
    "act_slot": "service, act and slot",
    "act": "service and act, once a turn",
    "item": "service, act, slot and values",
}
"""The predicted units, and the parts that must be equal."""

EXACT = "exact_set"

Acts = tuple[ServiceAct, ...]


class NextActMatch:
    """Micro F1 of acts with slots, of acts, of acts with slots and values; share of exact turns.

    Multisets of a turn are compared, and its set of acts. A turn is exact where its acts with their
    slots are those that were done, no more and no fewer. Values are compared in lower case.
    """

    kind: ClassVar[type[Struct]] = NextActs

    def statistics(
        self, question: Question[NextActs], gold: Acts, prediction: Guess[Acts]
    ) -> Counts:
        """Count what is right, missing and too much of each unit, and whether all is right."""
        right, found = list(_items(gold)), list(_items(prediction.answer if prediction else ()))
        counts = overlaps(UNITS, right, found)
        counts[EXACT, prediction is not None and right[0] == found[0]] += 1
        return counts

    def scores(self, counts: Counts) -> dict[str, Score]:
        """Return the scores in percent; 0 where there is nothing to score."""
        exact = counts[EXACT, True]
        signature = Signature({"metric": "accuracy", "equal": "all acts and slots of the turn"})
        whole = Score(EXACT, share(exact, exact + counts[EXACT, False]), signature)
        return {**f1_scores(UNITS, counts), EXACT: whole}


def _items(acts: Acts) -> Iterator[Counter[Any]]:
    items = [
        (each.service, each.act.name, slot, values)
        for each in acts
        for slot, values in _arguments(each)
    ]
    yield Counter(item[:3] for item in items)
    yield Counter({item[:2] for item in items})
    yield Counter(items)


def _arguments(said: ServiceAct) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not said.act.arguments:
        yield "", ()
    for each in said.act.arguments:
        values = each.values if each.canonical is None else each.canonical
        yield each.slot, tuple(str(value).strip().lower() for value in values)
