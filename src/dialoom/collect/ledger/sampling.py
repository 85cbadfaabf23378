"""Sampled review: a bound on the share of wrong work among what was accepted unseen.

    bound(240, 31, 0, 0.95)              # 0.096: at most this share of the other 209 is wrong
    more_to_see(240, 31, 0, 0.05, 0.95)  # 36: if none of these is wrong, the bound is 5 %

A sample of n of N pieces of work was looked at, and k of it are wrong. If M of the N are
wrong, k has the hypergeometric distribution

    P(X <= k | M) = sum over i <= k of C(M, i) C(N - M, n - i) / C(N, n)

The upper bound is the largest M with P(X <= k | M) > 1 - confidence (Wright 1991, Exact Confidence
Bounds when Sampling from Small Finite Universes); for large N it is that of Clopper and Pearson
(1934). The bound holds for one look; it is slightly too small if a sample goes on until it fits.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from math import exp, lgamma


def most_wrong(population: int, sample: int, wrong: int, confidence: float) -> int:
    """Return the highest number of wrong pieces that a sample is compatible with."""
    doubt = 1 - confidence
    candidates = range(wrong, population - (sample - wrong) + 1)
    # the first number that is not compatible; a sample of none is compatible with all
    first = bisect_left(
        candidates, True, key=lambda all: _at_most(wrong, population, all, sample) <= doubt
    )
    return candidates[max(first, 1) - 1]


@lru_cache
def bound(population: int, sample: int, wrong: int, confidence: float) -> float:
    """Return the highest share of wrong pieces among those that were not looked at."""
    unseen = population - sample
    return (most_wrong(population, sample, wrong, confidence) - wrong) / unseen if unseen else 0.0


@lru_cache
def more_to_see(population: int, sample: int, wrong: int, error: float, confidence: float) -> int:
    """Return how many more have to be looked at until the bound is at most `error`.

    It assumes that none of them is wrong.
    """
    sizes = range(sample, population + 1)  # the bound does not fall with each of them
    good = (size for size in sizes if bound(population, size, wrong, confidence) <= error)
    return next(good) - sample


def _at_most(wrong: int, population: int, all: int, sample: int) -> float:
    """Return P(X <= wrong) for a sample from a population with `all` wrong pieces."""
    lowest = max(0, sample - (population - all))
    return sum(
        exp(
            _log_choose(all, found)
            + _log_choose(population - all, sample - found)
            - _log_choose(population, sample)
        )
        for found in range(lowest, min(wrong, all, sample) + 1)
    )


def _log_choose(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
