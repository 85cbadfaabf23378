"""The follower's net: what it learns, and that a seed gives the same net."""

from __future__ import annotations

import numpy as np

from dialoom.models.follower.scorer import Booleans, Net
from dialoom.models.follower.word_weights import Floats, Integers


def data(questions: int, seed: int) -> tuple[Floats, Booleans, Integers]:
    """Return questions whose right action has the largest product of two of three features."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 6, questions)
    features = draw.normal(size=(int(sizes.sum()), 3)).astype(np.float32)
    labels = np.zeros(len(features), np.bool_)
    ends = np.cumsum(sizes)
    for end, size in zip(ends, sizes, strict=True):
        rows = slice(end - size, end)
        labels[end - size + int((features[rows, 0] * features[rows, 1]).argmax())] = True
    return features, labels, sizes


def test_a_net_learns_what_no_single_feature_tells() -> None:
    net = Net(*data(3000, 0), seed=1)
    features, labels, sizes = data(500, 2)
    scores = np.split(net.score(features), np.cumsum(sizes)[:-1])
    right = np.split(labels, np.cumsum(sizes)[:-1])
    hits = [bool(mark[score.argmax()]) for score, mark in zip(scores, right, strict=True)]
    assert np.mean(hits) > 0.89  # 0.918


def test_one_seed_gives_one_net() -> None:
    features, labels, sizes = data(40, 0)
    one, same, other = (Net(features, labels, sizes, seed).score(features) for seed in (1, 1, 2))
    assert one.tobytes() == same.tobytes()
    assert one.tobytes() != other.tobytes()


def test_inputs_far_from_all_that_was_seen_are_clipped() -> None:
    net = Net(*data(300, 0), seed=1)
    far = np.array([[1e6, -1e6, 0.0], [1e9, -1e9, 0.0]], np.float32)
    first, second = net.score(far)
    assert first == second
