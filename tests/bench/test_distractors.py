"""The challenge set of distractors: which questions are changed, and how."""

from __future__ import annotations

from dialoom.bench.core.protocol import Target
from dialoom.bench.protocols.dstc6_history import (
    DISTRACTED,
    EVERY,
    called_values,
    distracted,
    lines,
    with_distracted,
)
from dialoom.dialogue import SYSTEM, USER, Choice, Constraint, Event, Query, Utterance

VALUES = {"location": ("hanoi", "seoul", "tokyo"), "price": ("cheap", "dear")}


def target(user: str, *before: Event, event: int = 1) -> Target:
    """Return a question about what the bot says after the user."""
    events = (*before, Utterance(agent=USER, text=user), Utterance(agent=SYSTEM, text="fine"))
    return Target("one", event, Choice(()), "0", events, len(before) + 1)


def call(**values: str) -> Query:
    conditions = tuple(Constraint(slot, "equal", (value,)) for slot, value in values.items())
    return Query(id="1", api="api_call", constraints=conditions)


def test_other_values_of_the_slot_come_before_what_the_user_says() -> None:
    variant = distracted(target("tokyo, please", call(location="tokyo")), VALUES)
    assert variant is not None
    query, text = variant.seen[0], variant.seen[1]
    assert query == call(location="tokyo")
    assert isinstance(text, Utterance)
    assert text.text.endswith("tokyo, please")
    assert any(other in text.text for other in ("hanoi", "seoul"))
    assert variant.aside
    assert variant.slices == (DISTRACTED,)
    assert variant.gold == "0"
    assert distracted(target("tokyo, please", call(location="tokyo")), VALUES) == variant


def test_what_mentions_no_value_several_or_one_of_few_is_left() -> None:
    for text in ("hello", "tokyo or seoul", "cheap"):
        assert distracted(target(text), VALUES) is None
    nobody = Target("one", 0, Choice(()), "0", (Utterance(agent=SYSTEM, text="hi"),), 0)
    assert distracted(nobody, VALUES) is None


def test_values_are_those_of_calls() -> None:
    values = called_values(
        [target("hi", call(location="tokyo")), target("hi", call(location="hanoi", price="dear"))]
    )
    assert values == {"location": ("hanoi", "tokyo"), "price": ("dear",)}


def test_one_in_so_many_questions_is_asked_once_more() -> None:
    questions = [target("seoul", event=n) for n in range(2 * EVERY + 1)]
    targets = with_distracted([*questions, target("hello")], VALUES)
    assert targets[: len(questions)] == questions
    assert [t.event for t in targets if t.aside] == [0, EVERY, 2 * EVERY]


def test_every_line_has_a_place_for_what_was_said_at_its_end() -> None:
    assert all(line.endswith("{said}") and "{other}" in line for line in lines())
