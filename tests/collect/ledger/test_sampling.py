"""The bound of a sampled review, compared with counts over all samples of small populations."""

from __future__ import annotations

from math import comb

import pytest

from dialoom.collect.ledger.sampling import bound, more_to_see, most_wrong


def _exact(population: int, sample: int, wrong: int, doubt: float) -> int:
    """Return the highest compatible number of wrong pieces, by integers."""
    for all in range(population - (sample - wrong), wrong, -1):
        ways = sum(
            comb(all, found) * comb(population - all, sample - found) for found in range(wrong + 1)
        )
        if ways > doubt * comb(population, sample):
            return all
    return wrong


@pytest.mark.parametrize("population", [1, 7, 20, 61])
def test_the_bound_is_the_exact_hypergeometric_one(population: int) -> None:
    for sample in range(population + 1):
        for wrong in range(min(sample, 5) + 1):
            expected = _exact(population, sample, wrong, 0.05)
            assert most_wrong(population, sample, wrong, 0.95) == expected, (sample, wrong)


def test_the_bound_holds_for_nineteen_of_twenty_samples() -> None:
    population = 50
    for all in range(population + 1):
        for sample in (5, 20, 40):
            missed = sum(
                comb(all, wrong) * comb(population - all, sample - wrong)
                for wrong in range(min(all, sample) + 1)
                if sample - wrong <= population - all
                and most_wrong(population, sample, wrong, 0.95) < all
            )
            assert missed <= 0.05 * comb(population, sample)


def test_large_populations_need_the_sample_of_the_binomial_bound() -> None:
    assert more_to_see(10**6, 0, 0, 0.05, 0.95) == 59  # log .05 / log .95
    assert more_to_see(100, 0, 0, 0.05, 0.95) == 78  # then at most 1 of the other 22 is wrong
    assert bound(100, 0, 0, 0.95) == 1.0 and bound(100, 100, 3, 0.95) == 0.0


def test_what_is_found_wrong_makes_the_sample_larger() -> None:
    sizes = [30 + more_to_see(300, 30, wrong, 0.05, 0.95) for wrong in range(4)]
    assert sizes == sorted(set(sizes))
    assert all(
        bound(300, size, wrong, 0.95) <= 0.05 < bound(300, size - 1, wrong, 0.95)
        for wrong, size in enumerate(sizes)
    )
