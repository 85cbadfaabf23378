"""Engines of experiments: other hands, the same answers; Ray in tests/sim/core/test_engines.py."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from dialoom.bench.core.engines import DEFAULT, ENGINES
from dialoom.errors import MissingExtraError, UnknownNameError
from tests.make import refuses
from tests.sim.core.runs import double


def done(engine: str, jobs: Sequence[int], workers: int) -> tuple[list[int], list[list[int]]]:
    starts: list[list[int]] = []
    results = ENGINES.get(engine)(double, jobs, workers, lambda now: starts.append(list(now)))
    return sorted(results), starts


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_do_every_job(workers: int) -> None:
    results, starts = done(DEFAULT, [1, 2, 3], workers)
    assert results == [2, 4, 6]
    assert starts[0] == [1, 2, 3][:workers]
    assert all(len(now) <= workers for now in starts)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_a_job_is_raised_as_it_is(workers: int) -> None:
    with refuses(MissingExtraError, "no-library", "dialoom[negative]"):
        done(DEFAULT, [1, -1], workers)


def test_an_unknown_engine() -> None:
    with refuses(UnknownNameError, "unknown-name", "ray"):
        ENGINES.get("rey")
