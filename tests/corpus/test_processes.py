"""Work shared among processes."""

from __future__ import annotations

import os

import pytest

from dialoom.corpus.processes import shared
from dialoom.errors import DialoomError, OutputError, UsageError


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_results_come_in_order(workers: int) -> None:
    assert list(shared(lambda item: item * item, range(7), workers)) == [0, 1, 4, 9, 16, 25, 36]


@pytest.mark.parametrize("kind", [OutputError, DialoomError, OSError])
def test_an_error_is_raised_where_the_work_was_started(kind: type[Exception]) -> None:
    def fail(item: int) -> int:
        if item == 1:
            raise kind("the disk is full")
        return item

    done = shared(fail, range(4), 2)
    assert next(done) == 0
    with pytest.raises(kind, match="the disk is full"):
        list(done)


def test_a_process_that_dies_is_told_of() -> None:
    with pytest.raises(UsageError, match="a worker process died"):
        list(shared(os._exit, [3], 2))


def test_each_item_has_a_process_of_its_own() -> None:
    parents = set(shared(lambda _: os.getppid(), range(3), 2))
    assert parents == {os.getpid()}
