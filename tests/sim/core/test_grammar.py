"""Weighted grammars of speech."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import UnknownNameError, UsageError
from dialoom.sim.core.grammar import Grammar, filled, tidy
from dialoom.sim.core.rng import SeededRng, seed_of

GRAMMAR = Grammar(
    {
        "open": {"<hello> <want> to {intent}.": 3, "{intent} <please>.": 1},
        "want": ["i'd like", "i want"],
        "hello": {"": 2, "hi,": 1},
        "please": ["", ", please"],
        "order": ["a~ <thing> and a~ {thing}"],
        "thing": ["iced tea", "unicorn", "hour", "used car"],
        "loop": ["<loop>"],
    }
)


def _rng(number: int) -> SeededRng:
    return SeededRng(seed_of(number, 1), b"language")


@given(st.integers(0, 10_000))
def test_text_has_single_spaces_and_a_capital(number: int) -> None:
    text = GRAMMAR.say("open", _rng(number), {"intent": "book a table"}).text
    assert "  " not in text and not re.search(r" [.,]", text)
    assert text[0].isupper() or text.startswith("book")
    assert text.endswith(".")


@given(st.integers(0, 10_000))
def test_article_follows_the_sound(number: int) -> None:
    text = GRAMMAR.say("order", _rng(number), {"thing": "apple"}).text
    first = {"iced": "An", "hour": "An", "unicorn": "A", "used": "A"}
    assert text.split()[0] == first[text.split()[1]]
    assert text.endswith("an apple")


def test_places_are_those_of_the_values() -> None:
    for number in range(30):
        spoken = GRAMMAR.say("open", _rng(number), {"intent": "book a table"})
        (place,) = spoken.places
        assert spoken.text[place.start : place.end] == "book a table"


def test_ways_are_drawn_by_weight() -> None:
    grammar = Grammar({"say": {"often": 9, "seldom": 1, "never": 0}})
    counts = Counter(grammar.template("say", _rng(n)) for n in range(1000))
    assert set(counts) == {"Often", "Seldom"} and 850 < counts["Often"] < 950


def test_ways_whose_values_are_not_at_hand_are_left_out() -> None:
    grammar = Grammar({"say": ["{name}", "<inner>", "no name"], "inner": ["{name}"]})
    assert {grammar.template("say", _rng(n)) for n in range(50)} == {"No name"}
    assert not grammar.says("inner") and grammar.says("inner", ["name"])


def test_overlay_replaces_symbols() -> None:
    grammar = GRAMMAR.overlaid({"hello": ["good day,"], "want": ["i need"]})
    texts = {grammar.template("open", _rng(n), ["intent"]) for n in range(50)}
    assert "Good day, i need to {intent}." in texts and not any("want" in text for text in texts)


def test_way_without_weight_is_the_last_resort() -> None:
    grammar = Grammar({"on": {" on {day}": 1, " some day": 0}})
    assert {grammar.phrase("on", _rng(n), ["day"]) for n in range(20)} == {" on {day}"}
    assert grammar.phrase("on", _rng(1)) == " some day"


def test_symbol_within_itself_is_refused() -> None:
    with pytest.raises(UsageError):
        GRAMMAR.template("loop", _rng(1))


def test_threads_share_a_grammar() -> None:
    for _ in range(20):
        long = {f"s{n}": [f"<s{n + 1}> a", f"<s{n + 1}> b"] for n in range(60)} | {"s60": ["end"]}
        grammar = Grammar(long)
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(grammar.says, [f"s{n}" for n in range(61)] * 2))


def test_unknown_symbol_is_refused() -> None:
    with pytest.raises(UnknownNameError):
        GRAMMAR.template("opne", _rng(1))


def test_names_without_a_value_stay() -> None:
    assert filled("{one} and a~ {two}", {"two": "orange"}).text == "{one} and an orange"


def test_tidy_sentences() -> None:
    assert tidy("yes  , it is . so be it") == "Yes, it is. So be it"
