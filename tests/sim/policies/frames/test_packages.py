"""The packages of a run, and the search over their fields."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.sim.policies.frames.packages import CITIES, HOTELS, LENIENCY, day, packages
from dialoom.sim.policies.frames.travel import TRAVEL

EVERYTHING = {"RESULT_LIMIT": 10**6}


def test_as_many_as_the_page_says() -> None:
    assert len({package.name for package in packages(7).packages}) == HOTELS == 268
    assert len(set(packages(7).cities)) == CITIES == 109
    assert len(packages(7).packages) >= HOTELS
    assert all(len(set(package.route)) == 2 for package in packages(7).packages)


def test_a_seed_makes_them() -> None:
    assert packages(8).cities != packages(7).cities
    assert packages.__wrapped__(7).packages == packages(7).packages


WANTED: dict[str, Any] = {
    "PRICE_MIN": 1500,
    "PRICE_MAX": "1200",
    "MIN_DURATION": 6,
    "MAX_DURATION": 5,
    "NUM_ADULTS": "4",
    "SEAT": "business",
    "CATEGORY_MIN": 4,
    "GST_RATING_MIN": 8,
    "START_TIME": "2016-09-01",
    "END_TIME": "2016-09-01",
}


@pytest.mark.parametrize("field", TRAVEL.fields)
def test_every_field_can_be_searched(field: str) -> None:
    package = packages(7).packages[41]
    own: dict[str, Any] = {
        "ORIGIN_CITY": package.route[0],
        "DESTINATION_CITY": package.city,
        "COUNTRY": package.row["country"],
        "NAME": package.name,
    }
    matches = packages(7).search(EVERYTHING | {field: own.get(field, WANTED.get(field, True))})
    assert 0 < len(matches) < len(packages(7).packages)
    if field in own:
        assert package in matches


@given(st.integers(0, 10**6), st.integers(0, 3))
def test_a_package_is_found_by_its_dates(number: int, off: int) -> None:
    every = packages(7).packages
    package = every[number % len(every)]
    fields: dict[str, Any] = {
        "ORIGIN_CITY": package.route[0],
        "DESTINATION_CITY": package.city,
        "START_TIME": day(package.days[0] + off).isoformat(),
        "END_TIME": day(package.days[1]).isoformat(),
    }
    assert (package in packages(7).search(EVERYTHING | fields)) == (off == 0)
    assert off <= LENIENCY
    assert package in packages(7).search(EVERYTHING | fields | {"ARE_DATES_FLEXIBLE": True})


def test_results_are_cheapest_first_and_limited() -> None:
    matches = packages(7).search({"SEAT": "economy"})
    assert len(matches) == 10
    prices = [package.price for package in packages(7).search(EVERYTHING)]
    assert prices == sorted(prices)
    assert [package.price for package in matches] == sorted(
        package.price for package in packages(7).packages if package.row["seat"] == "economy"
    )[:10]


def test_facts_and_items_agree() -> None:
    for package in packages(7).packages[:: len(packages(7).packages) // 100]:
        hotel, trip = package.item["hotel"], package.item["trip"]
        assert package.facts["name"] == hotel["name"]
        assert package.facts["price"] == f"{package.item['price']:.2f}"
        assert package.facts["duration"] == str(trip["duration"])
        assert package.facts["wifi"] == ("wifi" in hotel["amenities"])
        assert package.facts["beach"] == ("beach" in hotel["vicinity"])
