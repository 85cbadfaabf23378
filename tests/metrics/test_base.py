"""Scores print the signature that reproduces them."""

from __future__ import annotations

from collections import Counter

import dialoom
from dialoom.metrics import Signature
from dialoom.metrics.classification import Classification


def test_a_score_prints_its_signature() -> None:
    counts = Counter({("ask", "ask"): 1, ("query", "ask"): 1})
    assert str(Classification().scores(counts)["f1"]) == (
        f"f1 33.33 (metric:f1|avg:weighted|labels:gold+predicted|version:{dialoom.__version__})"
    )


def test_absent_fields_drop_out_and_the_version_stays_last() -> None:
    signature = Signature({"metric": "accuracy"}).extended(
        {"seed": None, "corpus": "0a1b", "holdouts": 3}
    )
    assert str(signature) == (
        f"metric:accuracy|corpus:0a1b|holdouts:3|version:{dialoom.__version__}"
    )


def test_extending_leaves_the_first_signature_alone() -> None:
    first = Signature({"metric": "f1"})
    first.extended({"seed": 1})
    assert first.fields == {"metric": "f1"}
