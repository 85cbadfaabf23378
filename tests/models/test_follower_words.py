"""What the user's words say for each action, learnt from other domains."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dialoom.models.follower import word_weights
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.word_weights import (
    RARE,
    WordWeights,
    _Problem,
    cross_fitted,
    spoken_words,
)

ASKS, ENDS = 0, 1
FEATURES = np.array([[1, 0, 5], [0, 1, 5]], np.float32)
"""An action that asks, one that ends, and what is the same for both."""


def asked(*words: str) -> DescribedActions:
    return DescribedActions(("ask", "end"), FEATURES, heard=frozenset(words))


def dialogues(domain: str) -> tuple[list[DescribedActions], list[int], list[str]]:
    """More people ask for "more", and those who say "enough" want to end, in every domain."""
    described = [asked("more", f"{domain} more"), asked("enough", "thanks")] * RARE
    return described, [ASKS, ENDS] * RARE, [domain] * len(described)


def several(*domains: str) -> tuple[list[DescribedActions], list[int], list[str]]:
    parts = [dialogues(domain) for domain in domains]
    described = [here for part in parts for here in part[0]]
    return described, [n for part in parts for n in part[1]], [d for part in parts for d in part[2]]


def test_words_that_several_domains_use_choose_the_action() -> None:
    weights = WordWeights(*several("ride", "hotel", "bank"))
    for word, right in (("more", ASKS), ("enough", ENDS)):
        shares, below = weights.columns(asked(word, "never", "heard")).T
        assert shares.argmax() == right and np.exp(shares).sum() == pytest.approx(1, abs=1e-5)
        assert below.max() == 0 and shares.max() > np.log(0.84)  # 0.867 and 0.934


def test_words_of_one_domain_and_rare_ones_say_nothing() -> None:
    described, choices, domains = several("ride", "hotel", "bank")
    described[0] = described[0]._replace(heard=frozenset({"more", "once"}))
    weights = WordWeights(described, choices, domains)
    for words in (("ride more",), ("once",), ("unheard of",), ()):
        assert not weights.columns(asked(*words)).any()


def test_columns_of_training_come_from_other_domains() -> None:
    described, choices, domains = several("ride", "hotel", "bank", "party")
    # in one domain the same words mean the opposite
    turned = [1 - n if domain == "party" else n for n, domain in zip(choices, domains, strict=True)]
    columns, _ = cross_fitted(described, turned, domains)
    alone = WordWeights(*several("ride", "hotel", "bank"))
    for here, column, domain in zip(described, columns, domains, strict=True):
        if domain == "party":
            assert np.allclose(column, alone.columns(here), atol=1e-4)


def test_one_domain_is_learnt_from_by_turns() -> None:
    columns, weights = cross_fitted(*dialogues("ride"))
    assert all(column.shape == (2, 2) for column in columns)
    assert weights.columns(asked("enough"))[:, 0].argmax() == ENDS


def test_nothing_said_is_nothing_learnt() -> None:
    columns, weights = cross_fitted([asked()] * 4, [0, 1, 0, 1], ["ride", "ride", "bank", "bank"])
    assert not np.concatenate(columns).any() and not weights.columns(asked("more")).any()


def test_the_gradient_is_that_of_the_loss() -> None:
    from scipy.optimize import check_grad

    draw = np.random.default_rng(4)
    words = csr_matrix(draw.random((3, 4)).astype(np.float32))
    sizes, choices = np.array([2, 3, 4]), np.array([1, 0, 3])
    problem = _Problem(words, draw.normal(size=(9, 2)).astype(np.float32), sizes, choices)
    start = draw.normal(size=8)
    wrong = check_grad(lambda w: problem(w)[0], lambda w: problem(w)[1], start, epsilon=1e-2)
    assert wrong < 0.05 * np.linalg.norm(problem(start)[1])


@pytest.mark.parametrize("block", [1, 7, 64])
def test_loss_and_gradient_are_the_same_in_any_number_of_blocks(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = np.random.default_rng(5)
    sizes = draw.integers(1, 30, 100)
    words = csr_matrix((draw.random((100, 9)) < 0.3).astype(np.float32))
    features = draw.normal(size=(sizes.sum(), 90)).astype(np.float32)
    start = draw.normal(size=9 * 90)
    monkeypatch.setattr(word_weights, "BLOCK", 1000)
    loss, gradient = _Problem(words, features, sizes, sizes - 1)(start)
    monkeypatch.setattr(word_weights, "BLOCK", block)
    outcome = _Problem(words, features, sizes, sizes - 1)(start)
    assert outcome[0] == pytest.approx(loss)
    assert (outcome[1] == gradient).all()


def test_words_of_an_utterance() -> None:
    assert spoken_words("Is that ALL?") == ["is", "that", "all", "?"]
