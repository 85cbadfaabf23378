"""The pool of items: which are free, how often each was given out, and to whom.

Items are given out by priority and in the order in which they were added, each until it has its
target of units, so that a study that is stopped early has complete items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any

from dialoom.collect.unit import ItemFilter, WorkItem

_NONE: Counter[str] = Counter()


@dataclass(slots=True)
class _Offer:
    item: WorkItem
    priority: int = 0
    withdrawn: bool = False
    live: int = 0
    last: int = 0
    released: list[int] = field(default_factory=list)


class ItemPool:
    """The items that a study offers.

    Attributes:
        complete: Source to its number of complete units.
        offered: Source to its number of items, without those `added` by the admin.
    """

    def __init__(self) -> None:
        self.complete: Counter[str] = Counter()
        self.offered: Counter[str] = Counter()
        self.added: Counter[str] = Counter()
        self._offers: dict[str, _Offer] = {}
        self._open: dict[str, None] = {}
        self._unsorted = self._ranked = False
        self._given: dict[str, set[str]] = {}
        self._variants: dict[str, Counter[str]] = {}
        self._compared: dict[str, set[str]] = {}

    def __contains__(self, item: str) -> bool:
        return item in self._offers

    def __getitem__(self, item: str) -> WorkItem:
        return self._offers[item].item

    def add(self, item: WorkItem) -> None:
        """Add an item that may be given out."""
        offer = self._offers[item.id] = _Offer(item, item.priority)
        self.offered[item.source] += not item.added
        self.added[item.source] += item.added
        if item.variant:
            self._compared.setdefault(item.source, set()).add(item.variant)
        self._reopen(offer)

    def unoffered(self, source: str, items: Iterable[WorkItem]) -> Iterator[WorkItem]:
        """Yield the items of a source that it has not offered, in whatever order they come."""
        offers = (offer.item for offer in self._offers.values() if offer.item.source == source)
        offered = Counter(item.digest for item in offers if not item.added)
        for item in items:
            offered[item.digest] -= 1
            if offered[item.digest] < 0:
                yield item

    def free(self, criteria: ItemFilter, worker: str | None = None) -> str | None:
        """Return the id of the next item that a worker may get; None where there is none.

        Among several variants it is an item of one that they have had least often.

        Args:
            worker: The worker, who gets no texts twice and no item about their own work; None for
                any item.
        """
        variants = self._variants.get(worker or "", _NONE)
        best, fewest = None, 0
        for name in self._in_order():
            item = self._offers[name].item
            if criteria.admits(item) and self.is_new(item, worker):
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

    def left(self, criteria: ItemFilter) -> int:
        """Return how many units of these items can still be opened."""
        offers = (self._offers[name] for name in self._open)
        return sum(o.item.target - o.live for o in offers if criteria.admits(o.item))

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
        self._reopen(offer)

    def _reopen(self, offer: _Offer) -> None:
        self._ranked = self._ranked or offer.priority != 0
        if offer.live < offer.item.target and not offer.withdrawn:
            self._open[offer.item.id] = None
            self._unsorted = self._ranked

    def arrange(self, item: str, priority: int, *, withdrawn: bool) -> None:
        """Set an item's priority, and whether it is withdrawn; running units go on."""
        offer = self._offers[item]
        offer.priority, offer.withdrawn = priority, withdrawn
        self._open.pop(item, None)
        self._reopen(offer)

    def _in_order(self) -> Iterable[str]:
        if self._unsorted:
            ranks = {name: -self._offers[name].priority for name in self._open}
            self._open = dict.fromkeys(sorted(self._open, key=ranks.__getitem__))
            self._unsorted = False
        return self._open

    def rows(self, source: str) -> Iterator[dict[str, Any]]:
        """Yield each item of a source as JSON values, in the order of their addition."""
        return (self.row(name) for name, o in self._offers.items() if o.item.source == source)

    def row(self, item: str) -> dict[str, Any]:
        """Return an item's priority and numbers of units as JSON values."""
        offer = self._offers[item]
        return {
            "item": item,
            "priority": offer.priority,
            "withdrawn": offer.withdrawn,
            "given": offer.live,
            "wanted": offer.item.target,
        }

    def give(self, worker: str, item: str) -> None:
        """Record that a worker was given an item."""
        entry = self._offers[item].item
        self._given.setdefault(worker, set()).add(entry.digest)
        if entry.variant:
            self._variants.setdefault(worker, Counter())[entry.variant] += 1

    def had(self, worker: str, item: str) -> bool:
        """True if a worker has had an item, or one with the same texts."""
        return self._offers[item].item.digest in self._given.get(worker, ())
