"""Texts compared token by token."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from dialoom.errors import MissingDataError
from dialoom.metrics.token_similarity import TokenSimilarity
from tests.make import refuses


def test_the_same_text_is_most_alike(weights: str) -> None:
    metric = TokenSimilarity(weights)
    pairs = [("where to ?", "where to ?"), ("where to ?", "bye"), ("a", "")]
    same, other, none = metric.values(pairs)
    assert same == pytest.approx(1.0, abs=1e-5)
    assert other < same
    assert none == 0.0
    assert metric.values([("", "")]) == [1.0]
    score = metric.scores(Counter())["token_similarity"]
    assert f"weights:{Path(weights).name}" in str(score)


def test_no_weights_are_said(tmp_path: Path, weights: str) -> None:
    with refuses(MissingDataError, "no-file", "config.json"):
        TokenSimilarity(str(tmp_path))
