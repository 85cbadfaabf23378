"""A corpus in the making: found again, published whole, discarded, never mixed with another."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.corpus import unfinished
from dialoom.errors import OutputError
from tests.make import refuses


def test_published_in_one_step(tmp_path: Path) -> None:
    target = tmp_path / "new" / "corpus"
    work = unfinished.begin(target, b"a")
    (work / "file").write_text("x")
    assert not target.exists()
    unfinished.publish(work, target)
    assert [entry.name for entry in target.iterdir()] == ["file"]
    assert [entry.name for entry in target.parent.iterdir()] == ["corpus"]


def test_found_again_with_the_same_settings(tmp_path: Path) -> None:
    work = unfinished.begin(tmp_path / "corpus", b"a")
    (work / "file").write_text("x")
    assert unfinished.begin(tmp_path / "corpus", b"a") == work
    assert (work / "file").read_text() == "x"


def test_other_settings_are_refused(tmp_path: Path) -> None:
    work = unfinished.begin(tmp_path / "corpus", b"a")
    with refuses(OutputError, "mismatch"):
        unfinished.begin(tmp_path / "corpus", b"b")
    unfinished.discard(work)
    assert not any(tmp_path.iterdir())
    unfinished.begin(tmp_path / "corpus", b"b")


def test_a_folder_without_settings_is_begun_anew(tmp_path: Path) -> None:
    work = unfinished.work_folder(tmp_path / "corpus")
    work.mkdir()
    (work / "file").write_text("of nobody knows what")
    unfinished.begin(tmp_path / "corpus", b"a")
    assert not (work / "file").exists()


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "file").touch()
    with refuses(OutputError, "taken"):
        unfinished.begin(tmp_path / "corpus", b"a")
    with refuses(OutputError, "taken"):
        unfinished.begin(tmp_path / "corpus" / "file", b"a")


def test_the_working_folder_is_filled_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    work = unfinished.begin(Path(), b"a")
    (work / "file").write_text("x")
    assert unfinished.begin(Path(), b"a") == work
    unfinished.publish(work, Path())
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]
