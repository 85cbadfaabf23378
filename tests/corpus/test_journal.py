"""Finished dialogues of an unfinished shard."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from dialoom.corpus.unfinished import JOURNAL, ShardJournal
from dialoom.errors import OutputError


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def kept(folder: Path) -> dict[int, bytes]:
    with ShardJournal(folder, 2) as journal:
        return journal.kept


def test_what_is_added_is_kept(tmp_path: Path) -> None:
    with ShardJournal(tmp_path, 2) as journal:
        journal.add(7, b"seven")
        journal.add(3, b"three")
    journal.add(4, b"after the end")
    assert kept(tmp_path) == {7: b"seven", 3: b"three"}
    journal.remove()
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("cut", range(1, 12))
@pytest.mark.parametrize("suffix", [".jsonl", ".index"])
def test_a_line_that_was_cut_off_is_left_out(tmp_path: Path, cut: int, suffix: str) -> None:
    with ShardJournal(tmp_path, 2) as journal:
        journal.add(17, b"seven")
        journal.add(18, b"three")
    file = (tmp_path / JOURNAL.format(2)).with_suffix(suffix)
    file.write_bytes(file.read_bytes()[:-cut])
    entries = kept(tmp_path)
    assert entries.items() <= {17: b"seven", 18: b"three"}.items()
    assert 18 not in entries
    with ShardJournal(tmp_path, 2) as journal:
        journal.add(18, b"again")
    assert kept(tmp_path) == entries | {18: b"again"}


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    entries = {number: b"%d" % number * 100 for number in range(10)}
    with ShardJournal(tmp_path, 2) as journal:
        for number, line in entries.items():
            journal.add(number, line)
    with files_of_at_most(500), pytest.raises(OutputError), ShardJournal(tmp_path, 2) as journal:
        journal.add(10, b"10")
    assert kept(tmp_path) == entries


def test_no_dialogue_gets_the_place_of_one_that_could_not_be_written(tmp_path: Path) -> None:
    with ShardJournal(tmp_path, 2) as journal:
        journal.add(7, b"seven")
        with files_of_at_most(10), pytest.raises(OutputError):
            journal.add(8, b"eight" * 10)
        journal.add(9, b"nine")
    assert kept(tmp_path) == {7: b"seven"}
