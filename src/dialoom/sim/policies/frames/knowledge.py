"""Travel packages, all fictitious: a hotel and a round trip, and the search over every field.

    base = knowledge(seed=7)
    base.search({"ORIGIN_CITY": "Berhaven", "PRICE_MAX": 1900})

There are 268 hotels in 109 cities, as in seed 004. A hotel has trips from some of the larger
cities, at two of the three times of the year when people leave from there, each in both classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.knowledge import shuffle
from dialoom.sim.policies.frames.wording import texts

HOTELS, CITIES = 268, 109
"""As many as the page of Frames says."""

HUBS = 18
"""Cities that trips start from."""

ORIGINS = 8
"""Cities that a hotel has trips from."""

WAVES, WAVE = 3, 14
"""How often people leave from a hub in a season, and how many days that lasts."""

TRIPS = 3
"""Trips from a hub to a hotel at one time of the year."""

FIRST = date(2016, 8, 1)
"""The season's first day: Frames was collected in that summer."""

SHORTEST, LONGEST = 4, 10
"""Days between the two flights."""

LENIENCY = 3
"""Days by which flexible dates may be missed at each end."""

LIMIT = 10
"""Packages that a search returns unless it says otherwise."""

SEATS = ("economy", "business")
AMENITIES = ("wifi", "breakfast", "parking", "spa")
VICINITY = ("beach", "park", "mall", "museum")
FEATURES = (*AMENITIES, *VICINITY)
"""What a hotel has or has not: the slots of acts, and fields of searches in capitals."""


class Hotel(NamedTuple):
    """One hotel.

    Attributes:
        name: Its name.
        city: Where it is.
        country: Where that is.
        category: Its stars, 2 to 5 by halves.
        rating: What guests think of it, out of ten.
        features: What it offers and what is near.
    """

    name: str
    city: str
    country: str
    category: float
    rating: float
    features: frozenset[str]


class Package(NamedTuple):
    """A hotel and a round trip.

    Attributes:
        hotel: The hotel.
        origin: Where the trip starts.
        start: The day of the flight out, from the season's first day.
        end: The day of the flight back.
        seat: The class.
        left: How many seats are left.
        price: What it costs, for everybody who travels.
        facts: Slot to value, as acts have them.
        item: The package as a result has it.
    """

    hotel: Hotel
    origin: str
    start: int
    end: int
    seat: str
    left: int
    price: float
    facts: Mapping[str, Value]
    item: Item


def day(number: int) -> date:
    """Return a day of the season."""
    return FIRST + timedelta(days=number)


def day_text(number: int) -> str:
    """Return a day of the season as people write it."""
    found = day(number)
    return f"{texts().months[found.month - 1]} {found.day}"


def days_between(iso: str) -> int:
    """Return which day of the season a date is: `2016-08-03` is 2."""
    return (date.fromisoformat(iso) - FIRST).days


Test = Callable[[Package, Any], bool]

FIELDS: Mapping[str, Test] = {
    "ORIGIN_CITY": lambda package, wanted: package.origin == wanted,
    "DESTINATION_CITY": lambda package, wanted: package.hotel.city == wanted,
    "COUNTRY": lambda package, wanted: package.hotel.country == wanted,
    "NAME": lambda package, wanted: package.hotel.name == wanted,
    "PRICE_MIN": lambda package, wanted: package.price >= float(wanted),
    "PRICE_MAX": lambda package, wanted: package.price <= float(wanted),
    "MIN_DURATION": lambda package, wanted: package.end - package.start >= int(wanted),
    "MAX_DURATION": lambda package, wanted: package.end - package.start <= int(wanted),
    "NUM_ADULTS": lambda package, wanted: package.left >= int(wanted),
    "SEAT": lambda package, wanted: package.seat == wanted,
    "CATEGORY_MIN": lambda package, wanted: package.hotel.category >= float(wanted),
    "GST_RATING_MIN": lambda package, wanted: package.hotel.rating >= float(wanted),
    **{
        feature.upper(): lambda package, wanted, feature=feature: (  # type: ignore[misc]
            (feature in package.hotel.features) == wanted
        )
        for feature in FEATURES
    },
}
"""The fields of a search that tell for themselves which packages they keep."""

START, END, FLEXIBLE, MOST = "START_TIME", "END_TIME", "ARE_DATES_FLEXIBLE", "RESULT_LIMIT"
"""The other fields: the days between which the trip lies, and how many packages are wanted."""


class Packages:
    """All packages of a run.

    Args:
        hotels: The hotels.
        packages: The packages.
    """

    def __init__(self, hotels: Sequence[Hotel], packages: Sequence[Package]) -> None:
        self.hotels, self.packages = tuple(hotels), tuple(packages)
        self.cities = tuple(dict.fromkeys(hotel.city for hotel in hotels))
        self.hubs = tuple(dict.fromkeys(package.origin for package in packages))
        self._routes: dict[tuple[str, str], list[Package]] = {}
        for package in packages:
            self._routes.setdefault((package.origin, package.hotel.city), []).append(package)

    @cached_property
    def reached(self) -> Mapping[str, tuple[str, ...]]:
        """Hub to the cities that there are packages to."""
        return {
            hub: tuple(city for city in self.cities if (hub, city) in self._routes)
            for hub in self.hubs
        }

    def route(self, origin: str, city: str) -> Sequence[Package]:
        """Return the packages from one city to another, cheapest first."""
        return self._routes.get((origin, city), ())

    def search(self, fields: Mapping[str, Value]) -> list[Package]:
        """Return the packages that have what is wanted, cheapest first.

        Args:
            fields: Field to what is wanted; other keys than those of a search are passed over.
        """
        found: Iterable[Package] = self.packages
        if "ORIGIN_CITY" in fields and "DESTINATION_CITY" in fields:
            found = self.route(str(fields["ORIGIN_CITY"]), str(fields["DESTINATION_CITY"]))
        tests = [(FIELDS[name], wanted) for name, wanted in fields.items() if name in FIELDS]
        more = LENIENCY if fields.get(FLEXIBLE) else 0
        first = days_between(str(fields[START])) - more if START in fields else 0
        last = days_between(str(fields[END])) + more if END in fields else 1000
        kept = [
            package
            for package in found
            if package.start >= first
            and package.end <= last
            and all(test(package, wanted) for test, wanted in tests)
        ]
        kept.sort(key=lambda package: package.price)
        return kept[: int(fields.get(MOST) or LIMIT)]


@lru_cache(maxsize=4)
def knowledge(seed: int) -> Packages:
    """Return the packages of a run."""
    rng = SeededRng(seed_of(seed, 0), b"packages")
    words = texts()
    cities = [start + end for start in words.city_starts for end in words.city_ends]
    shuffle(cities, rng)
    del cities[CITIES:]
    countries = {city: rng.choice(words.countries) for city in cities}
    names = [f"{first} {second}" for first in words.hotel_firsts for second in words.hotel_seconds]
    shuffle(names, rng)
    hotels = [
        _hotel(f"{name} {rng.choice(words.hotel_kinds)}", cities[number % CITIES], countries,
               rng)
        for number, name in enumerate(names[:HOTELS])
    ]  # fmt: skip
    waves = {hub: _waves(rng) for hub in cities[:HUBS]}
    packages = [package for hotel in hotels for package in _packages(hotel, waves, rng)]
    packages.sort(key=lambda package: package.price)
    return Packages(hotels, packages)


def _waves(rng: SeededRng) -> list[int]:
    """Draw the days on which the times of leaving begin; they do not overlap."""
    return [wave * (WAVE + 12) + rng.below(10) for wave in range(WAVES)]


def _hotel(name: str, city: str, countries: Mapping[str, str], rng: SeededRng) -> Hotel:
    category = 2 + rng.below(7) / 2
    rating = min(9.9, round(4.5 + category * 0.6 + rng.below(200) / 100, 2))
    features = frozenset(feature for feature in FEATURES if rng.below(2))
    return Hotel(name, city, countries[city], category, rating, features)


def _packages(hotel: Hotel, waves: Mapping[str, list[int]], rng: SeededRng) -> Iterable[Package]:
    hubs = [hub for hub in waves if hub != hotel.city]
    shuffle(hubs, rng)
    for hub in hubs[:ORIGINS]:
        without = rng.below(WAVES)
        distance = 300 + rng.below(900)
        for number, wave in enumerate(waves[hub]):
            for _ in range(TRIPS if number != without else 0):
                yield from _trips(hotel, hub, wave, distance, rng)


def _trips(hotel: Hotel, hub: str, wave: int, distance: int, rng: SeededRng) -> Iterable[Package]:
    """Yield one trip, in each class."""
    days = SHORTEST + rng.below(LONGEST - SHORTEST + 1)
    start = wave + rng.below(WAVE - days + 1)
    night = 35 + hotel.category * 28 + rng.below(4000) / 100
    for seat in SEATS:
        fare = distance * (1 if seat == SEATS[0] else 1.6)
        left = 1 + rng.below(9)
        price = round(fare + night * days, 2)
        yield _package(hotel, hub, (start, start + days), seat, left, price)


def _package(
    hotel: Hotel, origin: str, days: tuple[int, int], seat: str, left: int, price: float
) -> Package:
    start, end = days
    facts: dict[str, Value] = {
        "name": hotel.name,
        "dst_city": hotel.city,
        "or_city": origin,
        "str_date": day_text(start),
        "end_date": day_text(end),
        "duration": str(end - start),
        "category": str(hotel.category),
        "gst_rating": str(hotel.rating),
        "seat": seat,
        "price": f"{price:.2f}",
        **{feature: feature in hotel.features for feature in FEATURES},
    }
    item = {
        "price": price,
        "hotel": {
            "name": hotel.name,
            "dst_city": hotel.city,
            "country": hotel.country,
            "category": hotel.category,
            "gst_rating": hotel.rating,
            "amenities": [each for each in AMENITIES if each in hotel.features],
            "vicinity": [each for each in VICINITY if each in hotel.features],
        },
        "trip": {
            "or_city": origin,
            "leaving": day(start).isoformat(),
            "returning": day(end).isoformat(),
            "duration": end - start,
            "seat": seat,
            "seats_left": left,
        },
    }
    return Package(hotel, origin, start, end, seat, left, price, facts, item)
