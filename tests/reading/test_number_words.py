"""Whether a bare number is a value of a slot, by the words around it."""

from __future__ import annotations

import re

import pytest

from dialoom.reading.task_words import enumerates, number_words
from dialoom.schema import pack

TASK = pack.load("restaurant_book")


def place(text: str) -> tuple[int, int]:
    """Return the place of the first number of a text."""
    match = re.search(r"\d+", text)
    assert match is not None
    return match.span()


@pytest.mark.parametrize(
    "text",
    ["A table for 6, please.", "It can seat 6 at seven.", "Party size: 6", "It is for 6.", "6"],
)
def test_a_number_near_a_word_of_its_slot_is_a_value(text: str) -> None:
    assert number_words(TASK).state("guests", text, *place(text))


@pytest.mark.parametrize(
    "text",
    [
        "I compared 6 menus.",
        "We have 6 left.",
        "That takes 6 minutes.",
        "Save 6% today.",
        "You are number 6 here.",
        "Ring 0701 442.",
        "A 6-course meal awaits.",
    ],
)
def test_a_number_that_counts_something_else_is_no_value(text: str) -> None:
    assert not number_words(TASK).state("guests", text, *place(text))


@pytest.mark.parametrize(
    "text",
    ["2. Juniper", "2) Juniper", "(2) Juniper", "#2 Juniper", "Choice 2: Juniper", "2 out of 7"],
)
def test_the_number_of_a_line_or_step_enumerates(text: str) -> None:
    assert enumerates(text, *place(text), "en")
    assert not enumerates("A table for 2 at 7:30.", 12, 13, "en")
