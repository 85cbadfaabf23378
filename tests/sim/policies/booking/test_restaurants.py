"""Knowledge bases and requests: sizes, ratings, and parts that share no request."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.booking.family import FAMILIES, Family
from dialoom.sim.policies.booking.restaurants import Requests, knowledge
from tests.found import some

DSTC6, BABI = FAMILIES["dstc6"], FAMILIES["babi"]
SIZES = [(DSTC6, 5400, 48_600, 72), (BABI, 600, 4200, 8)]


@pytest.mark.parametrize(("design", "restaurants", "facts", "ratings"), SIZES)
def test_counts_are_the_published_ones(
    design: Family, restaurants: int, facts: int, ratings: int
) -> None:
    for base in some(knowledge(design, 3)):
        assert len(base.restaurants) == restaurants
        assert sum(1 for _ in base.facts()) == facts
        by_three: dict[tuple[str, ...], list[int]] = {}
        for restaurant in base.restaurants:
            cuisine, location, _, price, *_ = restaurant.values
            by_three.setdefault((cuisine, location, price), []).append(restaurant.rating)
        assert len(by_three) == 75
        assert all(sorted(scores) == list(range(1, ratings + 1)) for scores in by_three.values())


def test_bases_share_no_name_and_depend_on_the_seed() -> None:
    one, two = knowledge(DSTC6, 3)
    assert not {r.name for r in one.restaurants} & {r.name for r in two.restaurants}
    assert len({r.name for r in one.restaurants}) == 5400
    other, _ = knowledge(DSTC6, 4)
    assert [r.name for r in one.restaurants] != [r.name for r in other.restaurants]


def test_more_slots_are_spread_evenly() -> None:
    base, _ = knowledge(DSTC6, 3)
    for place in (4, 5):
        assert set(Counter(r.values[place] for r in base.restaurants).values()) == {1800}
    assert {len(base.found(cell)) % 3 for cell in base.cells(5)} == {0}


@pytest.mark.parametrize(
    ("design", "size", "portions"), [(DSTC6, 5, 2), (DSTC6, 6, 2), (BABI, 4, 3)]
)
def test_portions_share_no_request(design: Family, size: int, portions: int) -> None:
    base, _ = knowledge(design, 3)
    parts = [Requests(base, size, portion, 3) for portion in range(portions)]
    for cell in base.cells(size):
        assert sum(part.has(cell) for part in parts) == 1
    names = [{r.name for r in part.restaurants} for part in parts]
    assert sum(map(len, names)) == len(set.union(*names)) == len(base.restaurants)
    whole = Requests(base, size, None, 3)
    assert all(whole.has(cell) for cell in base.cells(size))


def test_a_request_with_one_more_slot_is_in_the_portion_of_the_request_without() -> None:
    base, _ = knowledge(DSTC6, 3)
    few, many = Requests(base, 5, 0, 3), Requests(base, 6, 0, 3)
    assert all(few.has(cell[:5]) == many.has(cell) for cell in base.cells(6))


@given(st.integers(0, 10**6), st.sampled_from([(DSTC6, 5), (DSTC6, 6), (BABI, 4)]))
def test_requests_are_satisfiable_and_of_their_portion(seed: int, kind: tuple[Family, int]) -> None:
    design, size = kind
    base, _ = knowledge(design, 3)
    requests = Requests(base, size, 1, 3)
    rng = SeededRng(seed_of(seed, 0), b"test")
    for least in (0, 1, 3):
        request = requests.draw(rng, least)
        assert len(request) == size
        assert requests.has(request)
        assert len(base.found(request)) >= least
    first, last, places = requests.change(rng, 1)
    assert requests.has(first)
    assert requests.has(last)
    assert base.found(last)
    assert sorted(places) == [n for n in range(size) if first[n] != last[n]]


@given(st.integers(0, 10**6), st.sampled_from(["a", "b", "c"]))
def test_another_value_is_another_one(seed: int, value: str) -> None:
    rng = SeededRng(seed_of(seed, 0), b"test")
    assert rng.another(("a", "b", "c"), value) in {"a", "b", "c"} - {value}
