"""Vectors of texts are the same whatever else is asked for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed: dialoom[neural]")
pytest.importorskip("transformers", reason="not installed: dialoom[neural]")

from dialoom.learn.encodings import Encodings, encodings

TEXTS = ["where to?", "when?", "", "where to?"]


def test_a_vector_does_not_depend_on_the_other_texts(weights: str) -> None:
    together, alone = Encodings(weights, 48)(TEXTS), Encodings(weights, 48)(["when?"])
    assert together.shape == (4, 16)
    assert np.array_equal(together[1], alone[0])
    assert np.array_equal(together[0], together[3])
    assert Encodings(weights, 48)([]).shape == (0, 16)


def test_a_process_shares_them(weights: str) -> None:
    assert encodings(weights, 48) is encodings(weights, 48)
