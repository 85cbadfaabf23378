"""Simulated users, in the lines of the task or in words of their own."""

from __future__ import annotations

import pytest

from dialoom.dialogue import USER, Utterance
from dialoom.errors import UnknownNameError, UsageError
from dialoom.play.running.plan import plan_of
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack


def lines(user: str) -> list[str]:
    """Return what the users of a few dialogues with the flow agent say."""
    source = plan_of((pack.load("hotel_book"),), "flow", user, 4, 1, 5).source()
    return [
        event.text
        for index in range(4)
        for event in source(index).events
        if isinstance(event, Utterance) and event.agent == USER
    ]


def test_users_speak_in_other_words_than_the_author_unless_scripted() -> None:
    free, scripted = lines("simulated"), lines("simulated:scripted")
    assert free == lines("simulated")
    assert len(set(free) & set(scripted)) < len(set(scripted)) / 2


def test_words_that_name_no_user_are_refused() -> None:
    with pytest.raises(UnknownNameError):
        SimulatedUsers("fre")
    with pytest.raises(UsageError):
        SimulatedUsers("happy,unhappy")
