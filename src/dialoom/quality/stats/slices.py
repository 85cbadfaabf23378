"""The two tables of SGD's GEM card: generation items by number of acts, and by type of act.

An item is one system utterance with its acts, of all services in the order of the file. In the card
it has one type, although items have several acts; it does not say which. Types are given by the
first act and by the last one. `distance` is half the sum of the absolute differences between our
shares and the card's, which are of a sample of the test split.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import Any

from dialoom.dialogue import SYSTEM, Dialogue, Utterance
from dialoom.dialogue.views import parts
from dialoom.quality.stats.analysis import Result, ratio
from dialoom.schema.service import ACTS

GEM_NUMBERS = {1: 5049, 2: 2517, 3: 1328, 4: 469, 5: 335, 6: 256, 7: 46}
"""The card's subpopulations of the test split by number of acts; they add up to 10,000."""

GEM_TYPES = {
    "CONFIRM": 1397,
    "GOODBYE": 983,
    "INFORM": 1027,
    "INFORM_COUNT": 958,
    "NOTIFY_FAILURE": 72,
    "NOTIFY_SUCCESS": 1024,
    "OFFER": 1246,
    "OFFER_INTENT": 500,
    "REQUEST": 2078,
    "REQ_MORE": 715,
}
"""The card's subpopulations by type of act, which it prints as integers; they add up to 10,000."""

CARD = sum(GEM_NUMBERS.values())
"""The items that the card counts."""


class Slices:
    """Counts generation items, if all acts are SGD's; `card` adds the figures of SGD's card."""

    def __init__(self, *, card: bool = False) -> None:
        self.card = card
        self.numbers: Counter[int] = Counter()
        self.firsts: Counter[str] = Counter()
        self.lasts: Counter[str] = Counter()
        self.anywhere: Counter[str] = Counter()

    def add(self, dialogue: Dialogue) -> None:
        """Count the items of one dialogue."""
        for event in dialogue.events:
            if isinstance(event, Utterance) and event.agent == SYSTEM:
                acts = [act.name for act in chain.from_iterable(p.acts or () for p in parts(event))]
                if acts:
                    self.numbers[len(acts)] += 1
                    self.firsts[acts[0]] += 1
                    self.lasts[acts[-1]] += 1
                    self.anywhere.update(set(acts))

    def result(self) -> Result | None:
        """Return both tables with the card's, counts and shares."""
        if not self.numbers or not self.anywhere.keys() <= set(ACTS):
            return None
        items = self.numbers.total()
        card = GEM_NUMBERS if self.card else {}
        numbers = sorted({*self.numbers, *card})
        tables = {
            "by_number_of_acts": {str(n): _cell(self.numbers[n], items, card, n) for n in numbers},
            "by_type_of_first_act": self._types(self.firsts),
            "by_type_of_last_act": self._types(self.lasts),
        }
        figures: Result = {
            "items": items,
            **({"card_items": CARD} if self.card else {}),
            "acts_per_item": ratio(sum(n * times for n, times in self.numbers.items()), items),
            **tables,
        }
        if self.card:
            figures["distance"] = {name: _distance(rows) for name, rows in tables.items()}
        return figures

    def _types(self, counts: Counter[str]) -> dict[str, Result]:
        items, card = self.numbers.total(), GEM_TYPES if self.card else {}
        return {
            name: {
                "number": number,
                **_cell(counts[name], items, card, name),
                "items_with_it_anywhere": self.anywhere[name],
            }
            for number, name in enumerate(ACTS)
            if name in counts or name in card
        }


def _cell(ours: int, items: int, card: Mapping[Any, int], key: object) -> Result:
    figures = {"items": ours, "share": ratio(ours, items)}
    published = {"card": card.get(key, 0), "card_share": ratio(card.get(key, 0), CARD)}
    return figures | (published if card else {})


def _distance(rows: Mapping[str, Result]) -> float:
    differences = [abs(float(row["share"]) - float(row["card_share"])) for row in rows.values()]
    return round(sum(differences) / 2, 4)
