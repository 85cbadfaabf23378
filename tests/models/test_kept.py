"""Fits that are kept: taken again, and removed where they are many."""

from __future__ import annotations

import os
from pathlib import Path
from typing import ClassVar

import pytest

from dialoom.models import MODELS, kept
from dialoom.models.base import Examples, Schemas
from dialoom.models.majority import Majority
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
