"""What users want of a trip: the three kinds of task that seed 004 describes.

fixed       one trip; dates and budget stand, and where there is none the dialogue ends
flexible    one trip; one of the constraints may be relaxed
comparing   three or four cities and a window: ask about each, compare, pick
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from dialoom.dialogue.annotation import Value
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.policies.frames.knowledge import (
    END,
    LIMIT,
    MOST,
    SEATS,
    START,
    Package,
    Packages,
    day,
    day_text,
)
from dialoom.sim.policies.frames.wording import texts

FIXED, FLEXIBLE, COMPARING = "fixed", "flexible", "comparing"

KINDS = (FIXED,) * 4 + (FLEXIBLE,) * 5 + (COMPARING,) * 11
"""Kinds of task, as often as each occurs. The page does not say how often; with these, frames and
their changes come near its means."""

Wish = dict[str, Value]
"""What is searched for, by the slots of acts."""

DATES = ("str_date", "end_date")

MOST_ADULTS = 3

DAYS = 100
"""Days of the season."""


class Goal(NamedTuple):
    """What a user wants.

    Attributes:
        kind: The kind of task.
        wish: What they ask for first.
        cities: The cities to compare, the first one first; of other kinds, the only one.
        relaxed: What they change where nothing is found.
        text: The task as they were told it.
    """

    kind: str
    wish: Wish
    cities: tuple[str, ...]
    relaxed: Wish
    text: str


def fields_of(wish: Wish) -> dict[str, Value]:
    """Return the search for a wish."""
    days = season()
    fields: dict[str, Value] = {
        "ORIGIN_CITY": wish["or_city"],
        "DESTINATION_CITY": wish["dst_city"],
        START: days[str(wish["str_date"])],
        END: days[str(wish["end_date"])],
    }
    if "budget" in wish:
        fields["PRICE_MAX"] = int(str(wish["budget"]))
    if "n_adults" in wish:
        fields["NUM_ADULTS"] = int(str(wish["n_adults"]))
    fields[MOST] = LIMIT
    return fields


@lru_cache(maxsize=1)
def season() -> Mapping[str, str]:
    """Return the season's days as people write them, and as searches have them."""
    return {day_text(number): day(number).isoformat() for number in range(DAYS)}


def draw(base: Packages, rng: SeededRng) -> Goal:
    """Draw what a user wants."""
    kind = rng.choice(KINDS)
    if kind == COMPARING:
        return _comparing(base, rng)
    package = _economy(base, rng)
    days = (max(0, package.start - rng.below(4)), package.end + rng.below(4))
    wish = _wish(package.origin, package.hotel.city, days)
    wish["budget"] = _above(package.price, rng)
    if package.left >= 2 and rng.below(2):
        wish["n_adults"] = str(1 + rng.below(min(package.left, MOST_ADULTS)))
    relaxed: Wish = {}
    if kind == FIXED:
        wish["flex"] = False
        if rng.below(5) < 2:
            wish["budget"] = _below(base, package)
    elif rng.below(8) < 5:
        relaxed = _spoilt(wish, package, base, rng)
    return _goal(kind, wish, (package.hotel.city,), relaxed, rng)


def _economy(base: Packages, rng: SeededRng) -> Package:
    while True:
        package = rng.choice(base.packages)
        if package.seat == SEATS[0]:
            return package


def _wish(origin: str, city: str, days: tuple[int, int]) -> Wish:
    start, end = map(day_text, days)
    return {"dst_city": city, "or_city": origin, "str_date": start, "end_date": end}


def _above(price: float, rng: SeededRng) -> str:
    return str(100 * (int(price / 100) + 1 + rng.below(4)))


def _below(base: Packages, package: Package) -> str:
    """Return a budget that no trip between two cities is within."""
    cheapest = base.route(package.origin, package.hotel.city)[0].price
    return str(100 * max(1, int(cheapest / 110)))


def _spoilt(wish: Wish, package: Package, base: Packages, rng: SeededRng) -> Wish:
    """Make a wish that nothing fits, and return what may be changed for something to fit."""
    way = rng.below(3)
    if way == 0:
        relaxed = {"budget": wish["budget"]}
        wish["budget"] = _below(base, package)
        return relaxed
    if way == 1:
        far = [city for city in base.cities if not base.route(package.origin, city)]
        wish["dst_city"] = rng.choice([city for city in far if city != package.origin])
        return {"dst_city": package.hotel.city}
    relaxed = {slot: wish[slot] for slot in DATES}
    shifted = dict(zip(DATES, map(day_text, (package.start + 2, package.end)), strict=True))
    wish |= shifted
    if base.search(fields_of(wish)):
        wish |= relaxed
        return {}
    return {"str_date": relaxed["str_date"]}


def _comparing(base: Packages, rng: SeededRng) -> Goal:
    """Draw three or four cities and a window in which there are trips to two of them at least."""
    while True:
        pattern = _economy(base, rng)
        origin = pattern.origin
        days = (max(0, pattern.start - 1 - rng.below(6)), pattern.end + 1 + rng.below(6))
        cities = [pattern.hotel.city]
        reached = base.reached[origin]
        while len(cities) < 3 + rng.below(2):
            city = rng.choice(reached)
            if city not in cities:
                cities.append(city)
        wish = _wish(origin, cities[0], days)
        if rng.below(2):
            wish["budget"] = _above(pattern.price * 1.2, rng)
        found = [city for city in cities if base.search(fields_of(wish | {"dst_city": city}))]
        if len(found) > 1:
            break
    first = rng.below(len(cities))
    ordered = (cities[first], *cities[:first], *cities[first + 1 :])
    wish["dst_city"] = ordered[0]
    return _goal(COMPARING, wish, ordered, {}, rng)


def _goal(kind: str, wish: Wish, cities: tuple[str, ...], relaxed: Wish, rng: SeededRng) -> Goal:
    words = texts()
    values = {slot: str(value) for slot, value in wish.items()}
    values["cities"] = listed(cities)
    values["limit"] = words.lines["task.limit"][0].format(**values) if "budget" in wish else ""
    text = rng.choice(words.tasks[kind]).format(**values)
    return Goal(kind, wish, cities, relaxed, text)


def listed(names: Sequence[str]) -> str:
    """Return names as people list them."""
    if len(names) == 1:
        return names[0]
    return texts().joiner.join((", ".join(names[:-1]), names[-1]))
