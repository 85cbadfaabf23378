"""What users' turns are for, by words that no task file has."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.flow.program import program_of
from dialoom.reading.purpose import (
    LIKELY,
    declining,
    purpose_odds,
    purpose_shares,
    wishes,
    without_chat,
)
from dialoom.schema import pack

BOOK = program_of(pack.load("restaurant_book"))


@pytest.mark.parametrize(
    ("said", "purpose"),
    [
        ("Thank you so much for your help!", "thanks"),
        ("Yes please, go ahead.", "yes"),
        ("I have no preference.", "none"),
    ],
)
def test_a_turn_has_the_purpose_that_its_words_show(said: str, purpose: str) -> None:
    shares = purpose_shares(BOOK, said)
    assert max(shares, key=lambda name: shares[name]) == purpose


def test_small_talk_is_left_out_of_an_answer() -> None:
    answer = "At 7 pm. My mom loves the north part of town"
    assert without_chat(answer, "en") == "At 7 pm."
    assert without_chat("My mom loves the north part of town", "en")


def test_no_preference_is_also_said_as_a_refusal() -> None:
    assert declining(BOOK, "I'm good") > 1 > declining(BOOK, "At {time}, please.")


def test_words_that_nobody_knows_are_no_evidence() -> None:
    assert max(purpose_shares(BOOK, "Qqq zzz xxx.").values()) < LIKELY
    assert purpose_odds(BOOK, "Qqq zzz xxx.") == {}


def test_a_wish_is_more_of_a_wish_than_an_answer() -> None:
    assert wishes(BOOK, "I would like to book a table for tonight.") > wishes(BOOK, "At 7 pm.")


def test_a_language_without_learned_purposes_has_none() -> None:
    assert purpose_odds(program_of(replace(pack.load("weather"), language="de")), "Danke!") == {}
