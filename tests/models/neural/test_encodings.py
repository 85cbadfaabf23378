"""Vectors of texts: the same whatever else is asked for, and taken from the file where they lie."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
pytest.importorskip("transformers", reason="not installed: dialoom[neural]")

from dialoom.models.neural.encodings import Encodings, encodings

TEXTS = ["where to?", "when?", "", "where to?"]


def test_a_vector_does_not_depend_on_the_other_texts(weights: str) -> None:
    together, alone = Encodings(weights, 48, None)(TEXTS), Encodings(weights, 48, None)(["when?"])
    assert together.shape == (4, 16)
    assert np.array_equal(together[1], alone[0])
    assert np.array_equal(together[0], together[3])
    assert Encodings(weights, 48, None)([]).shape == (0, 16)


def test_vectors_are_taken_from_the_file(
    tmp_path: Path, weights: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Encodings(weights, 48, tmp_path)(TEXTS)
    monkeypatch.setattr(Encodings, "_encode", None)
    assert np.array_equal(Encodings(weights, 48, tmp_path)(TEXTS), first)
    with pytest.raises(TypeError):  # another number of tokens is another vector
        Encodings(weights, 16, tmp_path)(TEXTS)
    with pytest.raises(TypeError):
        Encodings(weights, 48, tmp_path)(["new"])


def test_a_process_shares_them(weights: str) -> None:
    assert encodings(weights, 48) is encodings(weights, 48)
