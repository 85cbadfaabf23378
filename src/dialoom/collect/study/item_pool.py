"""The pool of items: which are free, how often each was given out, and to whom.

    pool.add(item)
    pool.free(ItemFilter("", ("single",)), worker="w1")    # the id of the next item, or None
    number = pool.lease("s1")                # a unit of the item is opened
    pool.release("s1", number)               # the unit ended incomplete: its number is free again

Items are given out in the order in which they were added, each until it has its target of units, so
that a study that is stopped early has complete items.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import heappop, heappush

from dialoom.collect.item import ItemFilter, WorkItem

_NONE: Counter[str] = Counter()


@dataclass(slots=True)
class _Offer:
    item: WorkItem
    live: int = 0
    last: int = 0
    released: list[int] = field(default_factory=list)


class ItemPool:
    """The items that a study offers; `complete` units and `offered` items are by source."""

    def __init__(self) -> None:
        self.complete: Counter[str] = Counter()
        self.offered: Counter[str] = Counter()
        self._offers: dict[str, _Offer] = {}
        self._open: dict[str, None] = {}
        self._given: dict[str, set[str]] = {}
        self._variants: dict[str, Counter[str]] = {}
        self._compared: dict[str, set[str]] = {}

    def __getitem__(self, item: str) -> WorkItem:
        return self._offers[item].item

    def add(self, item: WorkItem) -> None:
        """Add an item that may be given out."""
        self._offers[item.id] = _Offer(item)
        self.offered[item.source] += 1
        if item.variant:
            self._compared.setdefault(item.source, set()).add(item.variant)
        if item.target > 0:
            self._open[item.id] = None

    def free(self, wanted: ItemFilter, worker: str | None = None) -> str | None:
        """Return the id of the next item that a worker may get; None where there is none.

        Among several variants it is an item of one that they have had least often.

        Args:
            worker: The worker, who gets no texts twice and no item about their own work; None for
                any item.
        """
        variants = self._variants.get(worker or "", _NONE)
        best, fewest = None, 0
        for name in self._open:
            item = self._offers[name].item
            if wanted.admits(item) and self.is_new(item, worker):
                if variants[item.variant] == 0:
                    return name
                if best is None or variants[item.variant] < fewest:
                    best, fewest = name, variants[item.variant]
        return best

    def new_of(self, source: str, worker: str | None) -> list[WorkItem]:
        """Return the items of a source that are new to a worker, whatever their targets."""
        items = (offer.item for offer in self._offers.values())
        return [item for item in items if item.source == source and self.is_new(item, worker)]

    def is_new(self, item: WorkItem, worker: str | None) -> bool:
        """True if a worker has neither had an item's texts nor done the work it is about."""
        if worker is None:
            return True
        return item.digest not in self._given.get(worker, ()) and worker not in item.participants

    def is_fair(self, item: str, worker: str | None) -> bool:
        """True if the worker has had no other variant less often than the item's."""
        offered = self._offers[item].item
        had = self._variants.get(worker or "", _NONE)
        others = self._compared.get(offered.source, ())
        return had[offered.variant] <= min((had[other] for other in others), default=0)

    def left(self, wanted: ItemFilter) -> int:
        """Return how many units of these items can still be opened."""
        offers = (self._offers[name] for name in self._open)
        return sum(o.item.target - o.live for o in offers if wanted.admits(o.item))

    def lease(self, item: str) -> int:
        """Take the lowest free number of an item, and return it."""
        offer = self._offers[item]
        offer.live += 1
        if offer.released:
            number = heappop(offer.released)
        else:
            number = offer.last = offer.last + 1
        if offer.live >= offer.item.target:
            self._open.pop(item, None)
        return number

    def release(self, item: str, number: int) -> None:
        """Free a number of an item whose unit ended incomplete."""
        offer = self._offers[item]
        offer.live -= 1
        heappush(offer.released, number)
        if offer.live < offer.item.target:
            self._open[item] = None

    def give(self, worker: str, item: str) -> None:
        """Record that a worker was given an item."""
        given = self._offers[item].item
        self._given.setdefault(worker, set()).add(given.digest)
        if given.variant:
            self._variants.setdefault(worker, Counter())[given.variant] += 1

    def had(self, worker: str, item: str) -> bool:
        """True if a worker has had an item, or one with the same texts."""
        return self._offers[item].item.digest in self._given.get(worker, ())
