"""Restaurants, all fictitious: two knowledge bases of one design, drawn from a seed.

    first, second = knowledge(DSTC6, seed=7)
    len(first.restaurants)                          # 5,400
    first.found(("thai", "tokyo", "two", "cheap", "casual"))

Cities and cuisines are halved between the two; names, phones and addresses are a restaurant's own.
Each combination of cuisine, location and price has eight places to eat, each for one party size.
DSTC6 has each of them once for each atmosphere and dietary restriction; ratings within a
combination are all different, so that the order of offers has no ties.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, TypeVar

from dialoom.dialogue.event import Item
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.wording import texts

T = TypeVar("T")

BASE = ("cuisine", "location", "number", "price")
"""The slots of every call, in its order (Bordes et al. 2017, section 4)."""

MORE = ("atmosphere", "restrictions")
"""The slots that DSTC6 adds, in the order of its calls (Boureau et al. 2017, section 4)."""

SEATINGS = 8
"""Places to eat of one cuisine, location and price: bAbI's 8 ratings."""

Values = tuple[str, ...]
"""Values of slots, in the order of a call."""


@dataclass(frozen=True)
class Design:
    """How many restaurants there are and how their facts are written.

    Attributes:
        slots: The slots of a restaurant, in the order of a call.
        attributes: The attributes of a restaurant, in the order of the published lists.
    """

    slots: tuple[str, ...]
    attributes: tuple[str, ...]


DSTC6 = Design(
    (*BASE, *MORE),
    (
        "location",
        "price",
        "rating",
        "phone",
        "cuisine",
        "atmosphere",
        "restrictions",
        "number",
        "address",
    ),
)
"""5 cuisines x 5 locations x 3 prices x 72 restaurants (8 x 3 atmospheres x 3 restrictions)."""

BABI = Design(BASE, ("cuisine", "location", "price", "rating", "phone", "address", "number"))
"""5 cuisines x 5 locations x 3 prices x 8 restaurants: 600, with 4,200 facts."""


class Restaurant(NamedTuple):
    """One restaurant.

    Attributes:
        name: Its name, one word.
        values: Its values in the order of a call.
        rating: Its rating.
        item: Its facts as a result has them.
    """

    name: str
    values: Values
    rating: int
    item: Item

    @property
    def phone(self) -> str:
        """Its phone number."""
        return f"{self.name}_phone"

    @property
    def address(self) -> str:
        """Its address."""
        return f"{self.name}_address"


class Knowledge:
    """The restaurants of one knowledge base, and what can be asked for.

    Args:
        design: How it is made.
        number: Which one: 1 or 2.
        restaurants: The restaurants.
    """

    def __init__(self, design: Design, number: int, restaurants: tuple[Restaurant, ...]) -> None:
        self.design, self.number, self.restaurants = design, number, restaurants
        self.values = values(design, number)

    @cached_property
    def _by_values(self) -> dict[int, dict[Values, list[Restaurant]]]:
        found: dict[int, dict[Values, list[Restaurant]]] = {}
        for size in range(len(BASE), len(self.design.slots) + 1):
            cells = found.setdefault(size, {})
            for restaurant in self.restaurants:
                cells.setdefault(restaurant.values[:size], []).append(restaurant)
        return found

    def found(self, wanted: Values) -> list[Restaurant]:
        """Return the restaurants that have the values of a call."""
        return self._by_values[len(wanted)].get(wanted, [])

    def cells(self, size: int) -> list[Values]:
        """Return all calls of `size` slots, those that nothing fits as well."""
        return list(itertools.product(*self.values[:size]))

    def facts(self) -> Iterator[str]:
        """Yield the facts as lines of a list."""
        for restaurant in self.restaurants:
            for attribute, value in restaurant.item.items():
                if attribute != "name":
                    yield f"1 {restaurant.name} R_{attribute}\t{value}\n"


def values(design: Design, number: int) -> tuple[tuple[str, ...], ...]:
    """Return the values of each slot in a knowledge base, in the order of a call."""
    held = texts().slots
    return tuple(held[slot][(number - 1) % len(held[slot])] for slot in design.slots)


@lru_cache(maxsize=4)
def knowledge(design: Design, seed: int) -> tuple[Knowledge, Knowledge]:
    """Return both knowledge bases of a run; the lists are in random order."""
    rng = SeededRng(seed_of(seed, 0), b"restaurants")
    first, second, third = texts().names
    names = ["_".join(words) for words in itertools.product(first, second, third)]
    shuffle(names, rng)
    left = iter(names)
    one, two = (Knowledge(design, n, _drawn(design, n, left, rng)) for n in (1, 2))
    return one, two


def _drawn(
    design: Design, number: int, names: Iterator[str], rng: SeededRng
) -> tuple[Restaurant, ...]:
    cuisines, locations, numbers, prices, *more = values(design, number)
    kinds = list(itertools.product(*more))
    found = []
    for cuisine, location, price in itertools.product(cuisines, locations, prices):
        ratings = list(range(1, SEATINGS * len(kinds) + 1))
        shuffle(ratings, rng)
        for _ in range(SEATINGS):
            size = rng.choice(numbers)
            for kind in kinds:
                held = (cuisine, location, size, price, *kind)
                found.append(_restaurant(design, next(names), held, ratings.pop()))
    shuffle(found, rng)
    return tuple(found)


def _restaurant(design: Design, name: str, held: Values, rating: int) -> Restaurant:
    known = dict(zip(design.slots, held, strict=True))
    known |= {"rating": str(rating), "phone": f"{name}_phone", "address": f"{name}_address"}
    item = {"name": name} | {attribute: known[attribute] for attribute in design.attributes}
    return Restaurant(name, held, rating, item)


def shuffle(held: list[T], rng: SeededRng) -> None:
    """Put a list in random order."""
    for last in range(len(held) - 1, 0, -1):
        other = rng.below(last + 1)
        held[last], held[other] = held[other], held[last]
