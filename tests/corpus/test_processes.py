"""Work shared among processes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dialoom.corpus.processes import shared, sharing
from dialoom.errors import DialoomError, OutputError, UsageError
from tests.make import refuses


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


def test_a_process_that_dies_is_reported() -> None:
    with refuses(UsageError, "worker-lost"):
        list(shared(os._exit, [3], 2))


def test_each_item_has_a_process_of_its_own() -> None:
    parents = set(shared(lambda _: os.getppid(), range(3), 2))
    assert parents == {os.getpid()}


def test_a_block_says_how_many_processes_share_its_work() -> None:
    def others(_: int) -> set[int]:
        return {os.getpid(), *shared(lambda _: os.getpid(), range(2))}

    assert list(shared(others, range(2))) == [{os.getpid()}] * 2
    with sharing(2):
        one, other = shared(others, range(2))
    assert os.getpid() not in one | other
    assert len(one) == len(other) == 1  # a process that shares work has none of its own


def test_work_goes_on_while_the_first_item_takes_long(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "last")

    def wait_for_the_last(item: int) -> int:
        if item == 0:
            (tmp_path / "last").read_text()
        if item == 3:
            (tmp_path / "last").write_text("done")
        return item

    assert list(shared(wait_for_the_last, range(4), 2)) == [0, 1, 2, 3]
