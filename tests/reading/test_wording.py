"""Sentences as words, concepts and kinds of values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.reading.wording import (
    APOLOGY,
    DAY,
    FAILED,
    GONE,
    MOST,
    NAME,
    NUMBER,
    TIME,
    plain_text,
    sentences,
    without_apology,
    wording_of,
)


def test_values_are_replaced_by_their_kind() -> None:
    wording = wording_of("A table for 4 at Moss and Ember on Friday at 7:30 pm")
    assert {NUMBER, NAME, DAY, TIME} <= wording.values.keys()


def test_words_of_one_concept_are_alike() -> None:
    one, other = wording_of("when do you arrive"), wording_of("your check-in date")
    assert one.concepts & other.concepts
    assert not one.words & other.words


def test_a_phrase_is_one_word() -> None:
    assert "check in" in wording_of("the check-in date").words
    assert wording_of("the check-in date").concepts != wording_of("the check-out date").concepts


@pytest.mark.parametrize(
    ("english", "german"),
    [
        ("goodbye", "tschüss"),
        ("anything else", "sonst noch"),
        ("the weather", "das Wetter"),
        ("your job", "Ihr Beruf"),
    ],
)
def test_concepts_have_the_same_numbers_in_every_language(english: str, german: str) -> None:
    assert wording_of(english).concepts & wording_of(german, "de").concepts


def test_short_forms_are_read_in_full() -> None:
    assert wording_of("whats ur name pls").stems == wording_of("what is your name please").stems


def test_a_single_capital_is_a_word_and_not_a_name() -> None:
    assert NAME not in wording_of("Which Hotel would you like?").values
    assert NAME in wording_of("Is it Old Town Inn?").values


@pytest.mark.parametrize(
    "text", ["Where Would You Like to Go on Your Day off?", "WHICH ROOM, PLEASE?", "Is That Right?"]
)
def test_capitals_throughout_a_sentence_show_no_names(text: str) -> None:
    assert wording_of(text).stems == wording_of(text.lower()).stems


def test_markup_and_emoji_are_left_out() -> None:
    assert plain_text("**Hi** 👋 [there](http://x)\n- one") == "Hi there one"


def test_a_title_does_not_end_a_sentence() -> None:
    assert sentences("Who is Dr. Hill? He's in.") == ("Who is Dr. Hill?", "He's in.")


@given(st.text())
def test_any_text_is_split_and_read(text: str) -> None:
    pieces = sentences(text)
    assert len(pieces) <= MOST
    assert all(wording_of(each).stems is not None for each in pieces)


def test_groups_with_a_number_of_their_own_are_the_same_in_every_language() -> None:
    sorry = {"en": "Apologies, that failed; it is sold out", "de": "Verzeihung, abgelehnt"}
    assert {APOLOGY, FAILED, GONE} <= wording_of(sorry["en"], "en").concepts
    assert {APOLOGY, FAILED} <= wording_of(sorry["de"], "de").concepts


def test_a_text_is_read_without_its_apology() -> None:
    assert without_apology("Excuse me, it is late. Sorry!", "en") == "it is late."
    assert without_apology("A sorrysome tale.", "en") == "A sorrysome tale."
