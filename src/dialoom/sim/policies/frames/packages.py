"""Travel packages, all fictitious: a hotel and a round trip, and the search over every field.

    base = packages(seed=7)
    base.search({"ORIGIN_CITY": "Berhaven", "PRICE_MAX": 1900})

There are 268 hotels in 109 cities, as in Frames. A hotel has trips from some of the larger
cities, at two of the three times of the year when people leave from there, each in both classes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.frames.travel import TRAVEL, texts

HOTELS, CITIES = 268, 109
"""As many as the page of Frames says."""

HUBS = 18
"""Cities that trips start from."""

ORIGINS = 8
"""Cities that a hotel has trips from."""

WAVES, WAVE = 3, 14
"""Number of periods with trips from a hub in a season, and the days of each."""

TRIPS = 3
"""Trips from a hub to a hotel at one time of the year."""

FIRST, DAYS = date(2016, 8, 1), 100
"""The season's first day, since Frames was collected in that summer, and its length."""

SHORTEST, LONGEST = 4, 10
"""Days between the two flights."""

LENIENCY = 3
"""Days by which flexible dates may be missed at each end."""

LIMIT = 10
"""Packages that a search returns unless it says otherwise."""

ANY = ""
"""Matches every city, as the start or the destination of a trip."""

FLEXIBLE, MOST = "ARE_DATES_FLEXIBLE", "RESULT_LIMIT"
"""Fields of a search that compare nothing: lenient dates, and how many packages are wanted."""

_COMPARE: Mapping[str, Callable[[Any, Any], bool]] = {
    "equal": operator.eq,
    "at_least": operator.ge,
    "at_most": operator.le,
}


class Package(NamedTuple):
    """A hotel and a round trip.

    `row` has values as searches compare them (numbers, dates, flags, names), `facts` as acts have
    them (texts and flags), `item` as results have them.
    """

    row: Mapping[str, Any]
    facts: Mapping[str, Value]
    item: Item

    @property
    def name(self) -> str:
        """The hotel."""
        return str(self.row["name"])

    @property
    def city(self) -> str:
        """Its destination."""
        return str(self.row["dst_city"])

    @property
    def route(self) -> tuple[str, str]:
        """The start and destination of the trip."""
        return self.row["or_city"], self.row["dst_city"]

    @property
    def price(self) -> float:
        """The price for all travellers."""
        return float(self.row["price"])

    @property
    def days(self) -> tuple[int, int]:
        """The days of both flights, from the season's first day."""
        start, end = self.row["str_date"], self.row["end_date"]
        return (start - FIRST).days, (end - FIRST).days


def day(number: int) -> date:
    """Return a day of the season."""
    return FIRST + timedelta(days=number)


def spoken(moment: date) -> str:
    """Return a date as people write it."""
    return f"{texts().months[moment.month - 1]} {moment.day}"


class Packages:
    """All packages of a run, cheapest first."""

    def __init__(self, packages: Iterable[Package]) -> None:
        self.packages = tuple(sorted(packages, key=lambda package: package.price))
        self._routes: dict[tuple[str, str], list[Package]] = {}
        for package in self.packages:
            origin, city = package.route
            for route in (origin, city), (origin, ANY), (ANY, city), (ANY, ANY):
                self._routes.setdefault(route, []).append(package)

    @cached_property
    def cities(self) -> tuple[str, ...]:
        """The cities that have a hotel."""
        return tuple(dict.fromkeys(package.city for package in self.packages))

    @cached_property
    def reached(self) -> Mapping[str, tuple[str, ...]]:
        """Hub to the cities that there are packages to."""
        hubs = dict.fromkeys(hub for hub, _ in self._routes if hub != ANY)
        return {hub: tuple(c for c in self.cities if (hub, c) in self._routes) for hub in hubs}

    def route(self, origin: str, city: str) -> Sequence[Package]:
        """Return the packages from one city to another (or `ANY`), cheapest first."""
        return self._routes.get((origin, city), ())

    def search(self, fields: Mapping[str, Value]) -> list[Package]:
        """Return the packages that match the fields of a search, cheapest first; other keys are
        ignored.
        """
        ends = (str(fields.get(name, ANY)) for name in ("ORIGIN_CITY", "DESTINATION_CITY"))
        trips = self.route(*ends)
        more = timedelta(days=LENIENCY if fields.get(FLEXIBLE) else 0)
        tests = []
        for name, target in fields.items():
            if name in TRAVEL.fields and trips:
                slot, comparison = TRAVEL.fields[name]
                value = _typed(target, trips[0].row[slot])
                if isinstance(value, date):
                    value += more if comparison == "at_most" else -more
                tests.append((slot, _COMPARE[comparison], value))
        fitting = (p for p in trips if all(test(p.row[slot], value) for slot, test, value in tests))
        return list(islice(fitting, int(fields.get(MOST) or LIMIT)))


def _typed(value: Value, like: Any) -> Any:
    return date.fromisoformat(str(value)) if isinstance(like, date) else type(like)(value)


@lru_cache(maxsize=4)
def packages(seed: int) -> Packages:
    """Return the packages of a run."""
    rng, words = SeededRng(seed_of(seed, 0), b"packages"), texts()
    cities = rng.shuffle([a + b for a in words.city_starts for b in words.city_ends])[:CITIES]
    countries = {city: rng.choice(words.countries) for city in cities}
    names = rng.shuffle([f"{a} {b}" for a in words.hotel_firsts for b in words.hotel_seconds])
    waves = {hub: [w * (WAVE + 12) + rng.below(10) for w in range(WAVES)] for hub in cities[:HUBS]}
    trips: list[Package] = []
    for number, name in enumerate(names[:HOTELS]):
        city = cities[number % CITIES]
        category = 2 + rng.below(7) / 2
        hotel = {
            "name": f"{name} {rng.choice(words.hotel_kinds)}",
            "dst_city": city,
            "country": countries[city],
            "category": category,
            "gst_rating": min(9.9, round(4.5 + category * 0.6 + rng.below(200) / 100, 2)),
            **{feature: bool(rng.below(2)) for feature in TRAVEL.features},
        }
        trips += _trips(hotel, waves, rng)
    return Packages(trips)


def _trips(
    hotel: Mapping[str, Any], waves: Mapping[str, list[int]], rng: SeededRng
) -> Iterator[Package]:
    for hub in rng.shuffle([hub for hub in waves if hub != hotel["dst_city"]])[:ORIGINS]:
        without, distance = rng.below(WAVES), 300 + rng.below(900)
        for wave in [w for number, w in enumerate(waves[hub]) if number != without] * TRIPS:
            days = SHORTEST + rng.below(LONGEST - SHORTEST + 1)
            start = wave + rng.below(WAVE - days + 1)
            night = 35 + hotel["category"] * 28 + rng.below(4000) / 100
            for seat, factor in zip(TRAVEL.seats, (1, 1.6), strict=True):
                trip = {
                    "or_city": hub,
                    "str_date": day(start),
                    "end_date": day(start + days),
                    "duration": days,
                    "seat": seat,
                    "seats_left": 1 + rng.below(9),
                    "price": round(distance * factor + night * days, 2),
                }
                yield _package({**hotel, **trip})


def _package(row: Mapping[str, Any]) -> Package:
    facts = {slot: value if isinstance(value, bool) else str(value) for slot, value in row.items()}
    facts |= {slot: spoken(row[slot]) for slot in ("str_date", "end_date")}
    facts["price"] = f"{row['price']:.2f}"
    leaving, returning = (row[slot].isoformat() for slot in ("str_date", "end_date"))
    hotel = {k: row[k] for k in ("name", "dst_city", "country", "category", "gst_rating")}
    for group in ("amenities", "vicinity"):
        hotel[group] = [each for each in getattr(TRAVEL, group) if row[each]]
    trip = {"or_city": row["or_city"], "leaving": leaving, "returning": returning}
    trip |= {slot: row[slot] for slot in ("duration", "seat", "seats_left")}
    return Package(row, facts, {"price": row["price"], "hotel": hotel, "trip": trip})
