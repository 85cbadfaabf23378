"""Vectors of texts: near for like meanings, one for each text, and groups of words."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from dialoom.errors import MissingExtraError
from dialoom.learn import vectors as module
from dialoom.learn.vectors import SIZE, vectors, word_groups


def test_texts_of_like_meaning_have_near_vectors() -> None:
    cheap, inexpensive, aeroplane = vectors(["cheap", "inexpensive", "aeroplane"])
    assert cheap @ inexpensive > cheap @ aeroplane + 0.2


def test_a_text_has_a_vector_of_length_one_whatever_its_case() -> None:
    pair = vectors(["A room in York", "a ROOM in york"])
    assert np.allclose(np.linalg.norm(pair, axis=1), 1)
    assert np.array_equal(*pair)


def test_an_empty_text_has_zeros_and_no_texts_no_rows() -> None:
    assert not vectors([""]).any()
    assert vectors([]).shape == (0, SIZE)


def test_groups_hold_words_of_like_meaning_and_are_pickled_without_words() -> None:
    groups = word_groups(100, 0)
    before = pickle.dumps(groups)
    pizza, burger, monday = map(groups.of, ("pizza", "burger", "Monday"))
    assert pizza == burger != monday
    assert pickle.dumps(groups) == before
    assert pickle.loads(before).of("pizza") == pizza


@pytest.mark.parametrize("damage", [b"", b"no numbers"])
def test_groups_are_kept_in_a_file_and_a_damaged_one_is_replaced(
    damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    make = word_groups.__wrapped__
    first = pickle.dumps(make(20, 1))
    (file,) = (tmp_path / "dialoom/groups").iterdir()
    whole = file.read_bytes()
    file.write_bytes(damage)
    assert pickle.dumps(make(20, 1)) == first
    assert file.read_bytes() == whole
    monkeypatch.setattr(module, "_centres", None)
    assert pickle.dumps(make(20, 1)) == first


def test_without_the_package_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    module._model.cache_clear()
    with pytest.raises(MissingExtraError):
        module._model()
