"""Users of goals that are stated, of tasks without a flow."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, Completion, Event, Utterance
from dialoom.flow.program import program_of
from dialoom.play.users.base import OutsideTask, UserSeat
from dialoom.play.users.goals import PlayGoal
from dialoom.play.users.simulated import StatedUser
from dialoom.schema.yaml.reading import read_text

TASK = read_text("""
task: shop
language: de
environment: mcp:shop
slots:
  order: {type: short text, description: order number, examples: [o1]}
""")


def seat(**goal: object) -> UserSeat:
    given = PlayGoal(name="a", wanted={"shop": {"order": "o1"}}, **goal)  # type: ignore[arg-type]
    return UserSeat([OutsideTask(program_of(TASK))], b"", b"", given)


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
    held = seat(says="Du willst zwei.")
    assert held.instructions == "Du willst zwei.\norder number: o1"
    assert said(StatedUser(held), "Gut.") == [held.instructions, None]
    assert held.goal == {"values": {"order": "o1"}}
