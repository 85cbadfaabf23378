"""Restaurants, all fictitious: two knowledge bases drawn from a seed, and their requests.

    first, second = knowledge(FAMILIES["dstc6"], seed=7)
    len(first.restaurants)                          # 5,400
    first.found(("thai", "tokyo", "two", "cheap", "casual"))
    requests = Requests(first, size=5, portion=0, seed=7)
    requests.draw(rng, least=3)                     # values in the order of a call

Cities and cuisines are halved between the two; names, phones and addresses are a restaurant's own.
Each combination of cuisine, location and price has eight places to eat, each for one party size:
bAbI's 600 restaurants with 4,200 facts. DSTC6 has each of them once for each atmosphere and dietary
restriction; ratings within a combination are all different, so that the order of offers has no
ties.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from dialoom.dialogue.event import Item
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.family import Family
from dialoom.sim.policies.booking.wording import texts

SEATINGS = 8
"""Places to eat of one cuisine, location and price: bAbI's 8 ratings."""

Values = tuple[str, ...]
"""Values of slots, in the order of a call."""


class Restaurant(NamedTuple):
    """One restaurant.

    `values` are in the order of a call; `item` has its facts as in a result, with a name of one
    word.
    """

    values: Values
    rating: int
    item: Item

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.item["name"])


class Knowledge:
    """The restaurants of one knowledge base (number 1 or 2), and the possible requests."""

    def __init__(self, family: Family, number: int, restaurants: tuple[Restaurant, ...]) -> None:
        self.family, self.number, self.restaurants = family, number, restaurants
        self.values = values(family, number)

    @cached_property
    def _by_values(self) -> dict[Values, list[Restaurant]]:
        groups: dict[Values, list[Restaurant]] = {}
        sizes = {part.size for part in self.family.parts} | {self.family.dealt}
        for restaurant in self.restaurants:
            for size in sizes:
                groups.setdefault(restaurant.values[:size], []).append(restaurant)
        return groups

    def found(self, values: Values) -> list[Restaurant]:
        """Return the restaurants that have the values of a call."""
        return self._by_values.get(values, [])

    def cells(self, size: int) -> list[Values]:
        """Return all calls of `size` slots, those that nothing fits as well."""
        return list(itertools.product(*self.values[:size]))

    def facts(self) -> Iterator[str]:
        """Yield the facts as lines of a list."""
        for restaurant in self.restaurants:
            for attribute in self.family.attributes:
                yield f"1 {restaurant.name} R_{attribute}\t{restaurant.item[attribute]}\n"


def values(family: Family, number: int) -> tuple[tuple[str, ...], ...]:
    """Return the values of each slot in a knowledge base, in the order of a call."""
    pools = texts().slots
    return tuple(pools[slot][(number - 1) % len(pools[slot])] for slot in family.slots)


@lru_cache(maxsize=4)
def knowledge(family: Family, seed: int) -> tuple[Knowledge, Knowledge]:
    """Return both knowledge bases of a run; the lists are in random order."""
    rng = SeededRng(seed_of(seed, 0), b"restaurants")
    names = iter(rng.shuffle(["_".join(words) for words in itertools.product(*texts().names)]))
    one, two = (Knowledge(family, n, _drawn(family, n, names, rng)) for n in (1, 2))
    return one, two


def _drawn(
    family: Family, number: int, names: Iterator[str], rng: SeededRng
) -> tuple[Restaurant, ...]:
    cuisines, locations, numbers, prices, *more = values(family, number)
    kinds = list(itertools.product(*more))
    places = []
    for cuisine, location, price in itertools.product(cuisines, locations, prices):
        ratings = rng.shuffle(list(range(1, SEATINGS * len(kinds) + 1)))
        for _ in range(SEATINGS):
            size = rng.choice(numbers)
            for kind in kinds:
                features = (cuisine, location, size, price, *kind)
                places.append(_restaurant(family, next(names), features, ratings.pop()))
    return tuple(rng.shuffle(places))


def _restaurant(family: Family, name: str, features: Values, rating: int) -> Restaurant:
    facts = dict(zip(family.slots, features, strict=True))
    facts |= {"rating": str(rating), "phone": f"{name}_phone", "address": f"{name}_address"}
    item = {"name": name} | {attribute: facts[attribute] for attribute in family.attributes}
    return Restaurant(features, rating, item)


class Requests:
    """The requests of one portion of a knowledge base, so that parts never share one.

    If calls have more slots (`size`), a request belongs to the same portion as without them: the
    tests of DSTC6 that ask for dietary restrictions share nothing with its training files. Without
    a `portion` number, all requests are drawn; all parts share the run's `seed`.
    """

    def __init__(self, base: Knowledge, size: int, portion: int | None, seed: int) -> None:
        self.base, self.size = base, size
        rng = SeededRng(seed_of(seed, 0), b"portions%d" % base.number)
        dealt = rng.shuffle(base.cells(base.family.dealt))
        self._own = frozenset(dealt if portion is None else dealt[portion :: base.family.portions])
        pool = [cell for cell in base.cells(size) if self.has(cell)]
        self._cells = {
            least: [cell for cell in pool if len(base.found(cell)) >= least] for least in (0, 1, 3)
        }
        self.restaurants = [each for each in base.restaurants if self.has(each.values)]

    def has(self, values: Values) -> bool:
        """Return True if a request is one of this portion."""
        return values[: self.base.family.dealt] in self._own

    def draw(self, rng: SeededRng, least: int = 0) -> Values:
        """Return a request that at least so many restaurants fit: 0, 1 or 3."""
        return rng.choice(self._cells[least])

    def change(self, rng: SeededRng, least: int = 0) -> tuple[Values, Values, list[int]]:
        """Return a request, its changed version, and the places of the changes in order.

        From one to all of its values change (uniformly), none twice; both requests are of this
        portion, and at least `least` restaurants fit the last.
        """
        while True:
            first = self.draw(rng)
            places = rng.shuffle(list(range(self.size)))[: 1 + rng.below(self.size)]
            last = list(first)
            for place in places:
                last[place] = rng.another(self.base.values[place], first[place])
            changed = tuple(last)
            if self.has(changed) and len(self.base.found(changed)) >= least:
                return first, changed, places
