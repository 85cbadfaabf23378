"""The link of a study's admin, which other programs find while the study is served."""

from __future__ import annotations

import stat
from pathlib import Path

from dialoom.collect.log.database import open_database
from dialoom.collect.log.serving import announce, served_at

LINK = "http://127.0.0.1:8000/admin#secret"


def test_the_link_is_there_while_the_database_is_open(tmp_path: Path) -> None:
    file = tmp_path / "study.sqlite"
    assert served_at(file) is None
    database = open_database(file, create=True, readonly=False)
    assert served_at(file) is None
    announce(file, LINK)
    assert served_at(file) == LINK
    database.close()
    assert served_at(file) is None


def test_only_the_owner_can_read_the_link(tmp_path: Path) -> None:
    file = tmp_path / "study.sqlite"
    database = open_database(file, create=True, readonly=False)
    announce(file, LINK)
    assert stat.S_IMODE(Path(f"{file}.lock").stat().st_mode) == 0o600
    database.close()


def test_nothing_is_written_for_a_database_that_is_no_file(tmp_path: Path) -> None:
    announce("postgresql://somebody@host/name", LINK)
    announce(tmp_path / "other.sqlite", LINK)
    assert list(tmp_path.iterdir()) == []
