"""Vectors of texts: near for like meanings, one for each text, and groups of words."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from dialoom.errors import MissingExtraError
from dialoom.learn import vectors as module
from dialoom.learn.vectors import SIZE, Groups, vectors


def test_texts_of_like_meaning_have_near_vectors() -> None:
    cheap, inexpensive, aeroplane = vectors(["cheap", "inexpensive", "aeroplane"])
    assert cheap @ inexpensive > cheap @ aeroplane + 0.2


def test_a_text_has_a_vector_of_length_one_whatever_its_case() -> None:
    found = vectors(["A room in York", "a ROOM in york"])
    assert np.allclose(np.linalg.norm(found, axis=1), 1)
    assert np.array_equal(*found)


def test_an_empty_text_has_zeros_and_no_texts_no_rows() -> None:
    assert not vectors([""]).any()
    assert vectors([]).shape == (0, SIZE)


def test_groups_hold_words_of_like_meaning_and_are_pickled_without_words() -> None:
    groups = Groups(100, seed=0)
    before = pickle.dumps(groups)
    pizza, burger, monday = map(groups.of, ("pizza", "burger", "Monday"))
    assert pizza == burger != monday
    assert pickle.dumps(groups) == before
    assert pickle.loads(before).of("pizza") == pizza


def test_without_the_package_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PACKAGE", "no_such_package")
    module._model.cache_clear()
    with pytest.raises(MissingExtraError):
        module._model()
