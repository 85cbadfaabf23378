"""Simulated users, in the lines of the task or in words of their own; users of stated goals."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, USER, Completion, Event, Utterance
from dialoom.errors import UnknownNameError, UsageError
from dialoom.flow.program import program_of
from dialoom.play.running.plan import plan_of
from dialoom.play.users.base import OutsideTask, UserSeat
from dialoom.play.users.goals import PlayGoal
from dialoom.play.users.simulated import SimulatedUsers, StatedUser
from dialoom.schema import pack
from dialoom.schema.yaml.reading import read_text


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


TASK = read_text("""
task: shop
language: de
environment: mcp:shop
slots:
  order: {type: short text, description: order number, examples: [o1]}
""")


def seat(**goal: object) -> UserSeat:
    target = PlayGoal(name="a", wanted={"shop": {"order": "o1"}}, **goal)  # type: ignore[arg-type]
    return UserSeat([OutsideTask(program_of(TASK))], b"", b"", target)


def said(user: StatedUser, *replies: str) -> list[str | None]:
    events: list[Event] = []
    texts: list[str | None] = []
    for reply in ("", *replies):
        events += [Utterance(agent=SYSTEM, text=reply)] if reply else []
        (event,) = user.reply(events)
        texts.append(None if isinstance(event, Completion) else getattr(event, "text", ""))
        events.append(event)
    return texts


def test_turns_come_first_then_a_yes_to_questions() -> None:
    user = StatedUser(seat(turns=("Eins.", "Zwei."), says="Du willst zwei."))
    assert said(user, "Gut.", "Wirklich?", "Fertig.") == ["Eins.", "Zwei.", "Ja.", None]


def test_without_turns_the_instructions_and_values_are_said() -> None:
    user_seat = seat(says="Du willst zwei.")
    assert user_seat.instructions == "Du willst zwei.\norder number: o1"
    assert said(StatedUser(user_seat), "Gut.") == [user_seat.instructions, None]
    assert user_seat.goal == {"values": {"order": "o1"}}
