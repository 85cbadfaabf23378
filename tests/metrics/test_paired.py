"""The paired test: large differences are certain, none is not, and noise is told from both."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dialoom.errors import UsageError
from dialoom.metrics import Difference, compare
from dialoom.metrics.bootstrap import Pair
from dialoom.metrics.classification import Classification
from tests.make import refuses


def pairs(first: float, second: float, n: int = 60) -> list[Pair]:
    """Return dialogues of four questions, answered right with these probabilities."""
    random_ = random.Random(3)

    def answer(share: float) -> tuple[str, str]:
        return "ask", "ask" if random_.random() < share else "query"

    return [
        (
            Counter(answer(first) for _ in range(4)),
            Counter(answer(second) for _ in range(4)),
        )
        for _ in range(n)
    ]


def accuracy(groups: dict[str, list[Pair]]) -> Difference:
    return compare(Classification(), "accuracy", groups)


def test_a_large_difference_is_certain() -> None:
    delta = accuracy({"a": pairs(0.9, 0.3), "b": pairs(0.8, 0.4)})
    assert delta.difference == pytest.approx(delta.first - delta.second)
    assert delta.interval.low > 0
    assert delta.p == pytest.approx(1 / 1001)


def test_a_system_against_itself() -> None:
    same = [(ours, ours) for ours, _ in pairs(0.6, 0.6)]
    delta = accuracy({"a": same})
    assert (delta.difference, delta.interval.low, delta.interval.high, delta.p) == (0, 0, 0, 1)


def test_noise_is_not_a_difference() -> None:
    delta = accuracy({"a": pairs(0.6, 0.6)})
    assert delta.interval.low < 0 < delta.interval.high
    assert delta.p > 0.05


def test_the_test_is_symmetric() -> None:
    there = accuracy({"a": pairs(0.7, 0.6)})
    back = accuracy({"a": [(b, a) for a, b in pairs(0.7, 0.6)]})
    assert back.difference == pytest.approx(-there.difference)
    assert back.p == there.p


def test_nothing_in_common() -> None:
    with refuses(UsageError, "mismatch"):
        accuracy({"a": []})
