"""The manner in which drafts are chosen."""

from __future__ import annotations

from collections import Counter

from dialoom.sim.core.grammar import Grammar
from dialoom.sim.core.manner import LARGEST, Manner, features, manner, masked
from dialoom.sim.core.rng import SeededRng, seed_of

WAYS = {"yes": ["yes.", "indeed.", "ok", "yes, {name}."]}


def _drawn(grammar: Grammar, times: int = 400) -> Counter[str]:
    rngs = (SeededRng(seed_of(1, n), b"language") for n in range(times))
    return Counter(grammar.template("yes", rng) for rng in rngs)


def test_features_are_words_and_pairs_with_marks() -> None:
    grams = set(features("Ok, {name} at 5."))
    assert {"ok", ",", "#", "^ ok", "ok ,", "# at", "at #", "# .", ". $"} <= grams


def test_numbers_and_names_within_a_sentence_are_masked() -> None:
    assert masked("it's for Anna Lund at 17") == "it's for # at #"


def test_score_is_the_sum_of_the_weights() -> None:
    assert Manner({"ok": 1.5, "^ ok": 0.5, "yes": 9.0}).score("Ok") == 2.0


def test_drafts_are_drawn_by_their_weights() -> None:
    plain = _drawn(Grammar(WAYS))
    tilted = _drawn(Grammar(WAYS, Manner({"ok": 2.0, "indeed": -9.0})))
    assert plain["Indeed."] > 50 and tilted["Indeed."] < 10
    assert tilted["Ok"] > 2 * plain["Ok"]


def test_draws_are_the_same_for_the_same_seed() -> None:
    grammar = Grammar(WAYS, Manner({"ok": 1.0}))
    assert _drawn(grammar, 50) == _drawn(Grammar(WAYS, Manner({"ok": 1.0})), 50)


def test_speech_without_a_file_has_no_manner() -> None:
    assert manner("en", "nobody-manner") is None


def test_words_that_marks_separate_are_a_pair_too() -> None:
    assert {"great~thank", "need~ride"} <= set(features("Great! Thank you, I need a ride"))
    assert Manner({"great~thank": -2.0}).score("Great. Thank you") == -2.0


def test_no_long_draft_recurs_in_a_pool() -> None:
    odd = "I am going to take my dog for a walk before it gets too late"
    drafts = [odd, *(f"number {at}" for at in range(47))]
    sums = Manner({"dog": 20.0}).sums(drafts)
    assert sums[0] / sums[-1] <= 2 * LARGEST / len(drafts)
    assert Manner({"ok": 20.0}).sums(["ok", *drafts])[0] > 0.9 * sums[0]
