"""What each kind of noise does to a text or to acts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import GOLD, SYSTEM, USER, Act, Layer, Part, Span, Utterance
from dialoom.sim.core.rng import event_rng
from dialoom.sim.noise import KINDS, Noise
from dialoom.sim.noise.kind import TextKind
from dialoom.sim.noise.order import scrambled
from dialoom.sim.noise.speech import speech
from tests.strategies import texts

TEXT = "Could you find me a table at the Corn Hall, for two? Thank you very much."
HALL = Span(33, 42, ("place",))


def noisy(kind: str, text: str, rate: float | None = None, seed: int = 0) -> str:
    return over(kind, text, (), rate, seed)[0]


def over(
    kind: str, text: str, spans: tuple[Span, ...], rate: float | None = None, seed: int = 0
) -> tuple[str, tuple[Span, ...]]:
    noise = Noise(kind, rate, seed)
    assert isinstance(noise.kind, TextKind)
    return noise.kind.text(text, spans, noise.draw("d", 0))


def test_neighbours_are_the_keys_that_touch() -> None:
    near = speech("en").neighbours
    assert {key: set(near[key]) for key in "qgpmA"} == {
        "q": set("wa"),
        "g": set("tyfhvb"),
        "p": set("ol"),
        "m": set("njk"),
        "A": set("QWSZ"),
    }
    for key, others in near.items():
        assert key not in others
        assert all(key in near[other] for other in others)


def test_typos_at_a_rate_of_one() -> None:
    near = speech("en").neighbours
    text = noisy("typos", TEXT, 1.0)
    for old, new in zip(TEXT, text, strict=True):
        assert new in near[old] if old in near else new == old


@pytest.mark.parametrize("rate", [0.02, 0.05, 0.3])
def test_typos_keep_their_rate(rate: float) -> None:
    text = "abcdefghij" * 5000
    wrong = sum(old != new for old, new in zip(text, noisy("typos", text, rate), strict=True))
    assert wrong == pytest.approx(rate * len(text), rel=0.06)


def test_typos_inside_a_span_stay_inside() -> None:
    text, (span,) = over("typos", TEXT, (HALL,), 1.0)
    assert span == HALL
    assert text[33:42] != "Corn Hall"


@given(texts, st.integers(0, 5))
def test_disfluencies_only_add_words(text: str, seed: int) -> None:
    variant = noisy("disfluencies", text, 0.5, seed)
    letters = iter(variant)
    assert all(letter in letters for letter in text)


def test_every_form_of_disfluency() -> None:
    words = speech("en")
    text = " | ".join(noisy("disfluencies", TEXT, 0.3, seed) for seed in range(40))
    for phrase in (*words.fillers, *words.repairs):
        assert f" {phrase} " in f" {text} "
    assert "find find" in text
    assert "- " in text  # a word broken off


def test_disfluencies_leave_values_alone() -> None:
    for seed in range(20):
        text, (span,) = over("disfluencies", TEXT, (HALL,), 1.0, seed)
        assert text[span.start : span.end] == "Corn Hall"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yes.", "Yes"),
        ("Really?! ", "Really "),
        ("at 5 p.m.", "at 5 p.m"),
        ("Was? Ja…", "Was? Ja"),
        ("好的。", "好的"),
        ("50%", "50%"),
        ("No", "No"),
        ("...", ""),
        ("", ""),
    ],
)
def test_final_punctuation(text: str, left: str) -> None:
    assert noisy("punctuation", text) == left


def test_a_span_that_ends_with_the_mark_shrinks() -> None:
    text, (whole, mark) = over("punctuation", "At ten.", (Span(3, 7), Span(6, 7)))
    assert (text, whole, mark) == ("At ten", Span(3, 6), Span(6, 6))


@pytest.mark.parametrize(
    ("kind", "made"),
    [
        ("casing-lower", "the straße in łódź. is it far? “ten” miles!"),
        ("casing-upper", "THE STRASSE IN ŁÓDŹ. IS IT FAR? “TEN” MILES!"),
        ("casing-sentence", "The straße in łódź. Is it far? “Ten” miles!"),
    ],
)
def test_casing(kind: str, made: str) -> None:
    text = "THE Straße in Łódź. IS it far? “ten” Miles!"
    place = Span(14, 18, ("town",))
    assert over(kind, text, (place,)) == (made, (over(kind, text, (place,))[1]))
    after, (span,) = over(kind, text, (place,))
    assert after[span.start : span.end].casefold() == "łódź"


def test_casing_draws_one_of_three() -> None:
    counts = Counter(noisy("casing", TEXT, seed=seed) for seed in range(30))
    assert set(counts) == {
        noisy(kind, TEXT) for kind in ("casing-lower", "casing-upper", "casing-sentence")
    }


@given(texts, st.integers(0, 3))
def test_casing_changes_nothing_but_case(text: str, seed: int) -> None:
    assert noisy("casing-lower", noisy("casing", text, seed=seed)) in {
        "".join(map(str.lower, form))
        for form in (text, "".join(map(str.upper, text)), noisy("casing-sentence", text))
    }


@given(st.lists(st.integers(0, 3), max_size=6), st.integers(0, 9))
def test_scrambling_reorders_whatever_can_be(values: list[int], seed: int) -> None:
    order = scrambled(values, event_rng(seed, "d", 0, "order"))
    assert Counter(order) == Counter(values)
    assert (list(order) == values) == (len(set(values)) < 2)


def test_every_order_can_come() -> None:
    orders = {scrambled("abc", event_rng(seed, "d", 0, "order")) for seed in range(60)}
    assert len(orders) == 5  # all but the one there was


def test_acts_stay_with_their_service() -> None:
    ask = tuple(Act(name) for name in ("INFORM", "OFFER", "REQUEST"))
    one, two = Part("Plays_1", acts=ask), Part("Taxis_2", acts=ask[:2], spans=(Span(0, 2),))
    utterance = Utterance(
        agent=SYSTEM, text="Hi", layers=(Layer(GOLD, (one, two)), Layer("model", (one,)))
    )
    noise = Noise("order", seed=3)
    variant = noise.kind.utterance(utterance, noise.draw("d", 4))
    assert (variant.text, variant.agent) == ("Hi", SYSTEM)
    assert [layer.source for layer in variant.layers] == [GOLD, "model"]
    first, second = variant.layers[0].parts
    assert first.acts is not None
    assert first.acts != ask
    assert sorted(first.acts, key=lambda act: act.name) == list(ask)
    assert second == Part("Taxis_2", acts=ask[1::-1], spans=(Span(0, 2),))


def test_one_act_has_no_other_order() -> None:
    utterance = Utterance(agent=USER, text="Hi", layers=(Layer(GOLD, (Part(None, (Act("hi"),)),)),))
    noise = Noise("order")
    assert noise.kind.utterance(utterance, noise.draw("d", 0)) is utterance


def test_coins() -> None:
    assert list(event_rng(1, "d", 2, "x").hits(40, 1.0)) == list(range(40))
    assert list(event_rng(1, "d", 2, "x").hits(40, 0.0)) == []
    assert list(event_rng(1, "d", 2, "x").hits(0, 1.0)) == []


def test_the_kinds_are_these() -> None:
    assert list(KINDS) == [
        "casing",
        "casing-lower",
        "casing-sentence",
        "casing-upper",
        "disfluencies",
        "order",
        "punctuation",
        "typos",
    ]
    assert all(KINDS.get(name).name == name for name in KINDS)
