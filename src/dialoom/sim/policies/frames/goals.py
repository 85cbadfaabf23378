"""Goals of users of trips: the three kinds of task of Frames (Asri et al. 2017, section 2).

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
from dialoom.sim.policies.frames import rates
from dialoom.sim.policies.frames.packages import DAYS, LIMIT, MOST, Package, Packages, day, spoken
from dialoom.sim.policies.frames.travel import TRAVEL, texts

FIXED, FLEXIBLE, COMPARING = "fixed", "flexible", "comparing"

KINDS = (FIXED,) * 5 + (FLEXIBLE,) * 6 + (COMPARING,) * 9
"""Kinds of task in proportion. The page gives no rates; with these, frames and their changes come
near the means of the real dialogues."""

Wish = dict[str, Value]

DATES = TRAVEL.together["dates"]

MOST_ADULTS = 3

ADULTS = "NUM_ADULTS"
"""The field of a search that is never empty: how many travel."""


class TripGoal(NamedTuple):
    """A user's goal.

    `wish` is the first request, `relaxed` its changes if nothing is found. `cities` are those to
    compare, the first one first; of other kinds, the only one. `text` is the task in the user's
    instructions.
    """

    kind: str
    wish: Wish
    cities: tuple[str, ...]
    relaxed: Wish
    text: str


def fields_of(wish: Wish) -> dict[str, Value]:
    """Return the search for a wish."""
    days = season()
    fields: dict[str, Value] = {ADULTS: 1}
    for field, slot in TRAVEL.wished.items():
        if slot in wish:
            text = str(wish[slot])
            fields[field] = days.get(text) or (int(text) if text.isdigit() else text)
    return {**fields, MOST: LIMIT}


@lru_cache(maxsize=1)
def season() -> Mapping[str, str]:
    """Return the season's days as people write them, and as searches have them."""
    return {spoken(each): each.isoformat() for each in map(day, range(DAYS))}


def draw(base: Packages, rng: SeededRng) -> TripGoal:
    """Draw a user's goal."""
    kind = rng.choice(KINDS)
    if kind == COMPARING:
        return _comparing(base, rng)
    package = _economy(base, rng)
    start, end = package.days
    wish = _wish(package, (max(0, start - rng.below(4)), end + rng.below(4)))
    wish["budget"] = _above(package.price, rng)
    left = package.row["seats_left"]
    if left >= 2 and not rng.once_in(rates.TRAVELS_ALONE):
        wish["n_adults"] = str(1 + rng.below(min(left, MOST_ADULTS)))
    relaxed: Wish = {}
    if kind == FIXED:
        wish["flex"] = False
        if rng.weighted(rates.BUDGET) == 0:
            wish["budget"] = _below(base, package)
    elif rng.weighted(rates.FIRST_WISH) == 0:
        relaxed = _spoilt(wish, package, base, rng)
    return _goal(kind, wish, (package.city,), relaxed, rng)


def _economy(base: Packages, rng: SeededRng) -> Package:
    while True:
        package = rng.choice(base.packages)
        if package.row["seat"] == TRAVEL.seats[0]:
            return package


def _wish(package: Package, days: Sequence[int]) -> Wish:
    origin, city = package.route
    wish: Wish = {"dst_city": city, "or_city": origin}
    return wish | dict(zip(DATES, (spoken(day(n)) for n in days), strict=True))


def _above(price: float, rng: SeededRng) -> str:
    return str(100 * (int(price / 100) + 1 + rng.below(4)))


def _below(base: Packages, package: Package) -> str:
    return str(100 * max(1, int(base.route(*package.route)[0].price / 110)))


def _spoilt(wish: Wish, package: Package, base: Packages, rng: SeededRng) -> Wish:
    way = rng.below(3)
    if way == 0:
        relaxed = {"budget": wish["budget"]}
        wish["budget"] = _below(base, package)
        return relaxed
    origin, city = package.route
    if way == 1:
        wish["dst_city"] = rng.choice(
            [far for far in base.cities if far != origin and not base.route(origin, far)]
        )
        return {"dst_city": city}
    start, end = package.days
    dates = {slot: wish[slot] for slot in DATES}
    wish |= _wish(package, (start + 2, end))
    if base.search(fields_of(wish)):
        wish |= dates
        return {}
    return {DATES[0]: dates[DATES[0]]}


def _comparing(base: Packages, rng: SeededRng) -> TripGoal:
    while True:
        pattern = _economy(base, rng)
        start, end = pattern.days
        origin, city = pattern.route
        days = (max(0, start - 1 - rng.below(6)), end + 1 + rng.below(6))
        cities = [city]
        while len(cities) < 3 + rng.below(2):
            other = rng.choice(base.reached[origin])
            if other not in cities:
                cities.append(other)
        wish = _wish(pattern, days)
        if not rng.once_in(rates.NO_LIMIT):
            wish["budget"] = _above(pattern.price * 1.2, rng)
        if sum(bool(base.search(fields_of(wish | {"dst_city": c}))) for c in cities) > 1:
            break
    first = rng.below(len(cities))
    ordered = (cities[first], *cities[:first], *cities[first + 1 :])
    wish["dst_city"] = ordered[0]
    return _goal(COMPARING, wish, ordered, {}, rng)


def _goal(
    kind: str, wish: Wish, cities: tuple[str, ...], relaxed: Wish, rng: SeededRng
) -> TripGoal:
    words = texts()
    values = {**wish, "cities": listed(cities)}
    values["limit"] = words.limit.format(**values) if "budget" in wish else ""
    return TripGoal(kind, wish, cities, relaxed, rng.choice(words.tasks[kind]).format(**values))


def listed(names: Sequence[str], joiner: str = "") -> str:
    """Return names as people list them; without a joiner, as alternatives."""
    *before, last = names
    return (joiner or texts().joiner).join((", ".join(before), last)) if before else last
