"""Finished dialogues of an unfinished shard."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.corpus.unfinished import JOURNAL, ShardJournal


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
