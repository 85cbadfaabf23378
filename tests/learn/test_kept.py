"""Fits that are kept: taken again, and removed where they are many."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import ClassVar

import pytest

from dialoom.learn import kept
from dialoom.learn.model import Examples, Schemas
from dialoom.models import MODELS
from dialoom.models.baselines import Majority
from tests.models.tiny import SCHEMAS, examples, visits

LEARNT = list(examples(visits()))


def fit(count: int) -> None:
    """Fit a model on so many examples."""
    kept.fitted(MODELS.get("majority")(), LEARNT[:count], SCHEMAS)


def test_the_oldest_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with kept.keeping(tmp_path):
        fit(4)
        (first,) = tmp_path.iterdir()
        fit(5)
        (second,) = set(tmp_path.iterdir()) - {first}
        for age, file in enumerate((second, first)):
            os.utime(file, ns=(age, age))
        monkeypatch.setattr(kept, "MOST", first.stat().st_size * 5 // 2)
        fit(4)  # taken again, and so the last that was
        os.utime(second, ns=(1, 1))
        fit(6)
    left = set(tmp_path.iterdir())
    assert first in left and len(left) == 2
    assert second not in left


class Around(Majority):
    """A model with another one inside."""

    name: ClassVar[str] = "around"

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        self.inner = kept.fitted(Majority(), examples, schemas)


def test_a_fit_inside_another_model_is_the_same(tmp_path: Path) -> None:
    with kept.keeping(tmp_path):
        fit(4)
        Around().fit(LEARNT[:4], SCHEMAS)
        assert len(list(tmp_path.iterdir())) == 1


def test_a_damaged_fit_is_made_again_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with kept.keeping(tmp_path):
        fit(4)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for damaged in (whole[:-9], b"{}\n", b""):
        file.write_bytes(damaged)
        with kept.keeping(tmp_path) as use:
            fit(4)
        assert use.taken == 0
        warning = capsys.readouterr().err
        assert warning.count("\n") == 1
        assert warning.startswith(f"dialoom: {file}: ")
        assert warning.endswith(": fitted again\n")
        assert file.read_bytes() == whole
    with kept.keeping(tmp_path) as use:
        fit(4)
    assert use.taken == 1


def test_of_processes_that_want_the_same_fit_one_makes_it(tmp_path: Path) -> None:
    start = Barrier(3)
    with ThreadPoolExecutor(3) as pool:  # locks of open files hold among threads, too
        results = [pool.submit(_slow_fit, tmp_path, start).result for _ in range(3)]
        assert sorted(each() for each in results) == [0, 1, 1]
    assert len(list(tmp_path.iterdir())) == 1


def _slow_fit(folder: Path, start: Barrier) -> int:
    start.wait()
    with kept.keeping(folder) as use:
        kept.fitted(Counted(), LEARNT, SCHEMAS)
    return use.taken


class Counted(Majority):
    """A model whose second fit fails."""

    name: ClassVar[str] = "counted"
    fits: ClassVar[Iterator[None]] = iter([None])

    def fit(self, examples: Examples, schemas: Schemas) -> None:
        next(self.fits)
        super().fit(examples, schemas)


def test_the_newest_stays_however_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST", 0)
    with kept.keeping(tmp_path):
        for count in (4, 5):
            fit(count)
            assert len(list(tmp_path.iterdir())) == 1


def test_the_users_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert kept.cache_folder() == tmp_path / "cache" / "dialoom"
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert kept.cache_folder() is None
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert kept.cache_folder() == tmp_path / ".cache" / "dialoom"
