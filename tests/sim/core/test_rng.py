"""Random numbers: the same everywhere, evenly spread, and streams that leave each other alone."""

from __future__ import annotations

from collections import Counter

from dialoom.sim.core.rng import SeededRng, seed_of


def test_numbers_are_the_same_everywhere() -> None:
    rng = SeededRng(seed_of(7, 41), b"goal")
    assert [rng.below(1000) for _ in range(5)] == [925, 75, 914, 666, 146]


def test_streams_do_not_disturb_one_another() -> None:
    alone, other = SeededRng(seed_of(1, 2), b"a"), SeededRng(seed_of(1, 2), b"b")
    numbers = [alone.below(100) for _ in range(40)]
    again = SeededRng(seed_of(1, 2), b"a")
    mixed = []
    for _ in range(40):
        other.below(3)
        mixed.append(again.below(100))
    assert mixed == numbers


def test_seeds_differ_by_run_and_by_index() -> None:
    seeds = {seed_of(run, index) for run in range(20) for index in range(20)}
    assert len(seeds) == 400


def test_every_value_is_chosen_about_as_often() -> None:
    rng = SeededRng(seed_of(3, 0), b"x")
    counts = Counter(rng.choice("abc") for _ in range(3000))
    assert set(counts) == set("abc")
    assert min(counts.values()) > 900
    wide = [rng.below(1 << 40) for _ in range(100)]
    assert max(wide) > 1 << 38


def test_once_in() -> None:
    rng = SeededRng(seed_of(3, 1), b"x")
    assert not any(rng.once_in(0) for _ in range(50))
    assert all(rng.once_in(1) for _ in range(50))
