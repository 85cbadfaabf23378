"""Instructions during a dialogue: reasons, negations and reminders that make sense."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from dialoom.dialogue import SYSTEM, Dialogue, Instruction, Selection, Utterance
from dialoom.flow.program import compile_task
from dialoom.schema import pack
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.state import DialogueState
from dialoom.sim.presets.star import StarPlan
from tests.sim.policies.flow.second_language import FILES
from tests.sim.policies.flow.spoken import PLAIN


@cache
def unhappy(language: str) -> tuple[Dialogue, ...]:
    if language == "en":
        return tuple(map(PLAIN.source(), range(PLAIN.dialogues)))
    tasks = tuple(map(pack.resolve, FILES))
    plan = StarPlan(tasks=tasks, seed=6, dialogues=120, scenario="unhappy")
    return tuple(map(plan.source(), range(120)))


def instructed(language: str, kind: str, name: str) -> Iterator[tuple[Dialogue, str]]:
    """Yield the values of a placeholder in the instructions of a kind, with their dialogues."""
    shapes = []
    for text in scenario_texts(language).kinds[kind].instruct:
        shape = re.escape(text).replace(rf"\{{{name}\}}", "(?P<value>.+)")
        shapes.append(re.compile(re.sub(r"\\\{\w+\\\}", ".+", shape) + r" \["))
    for dialogue in unhappy(language):
        for event in dialogue.events:
            if isinstance(event, Instruction) and event.text:
                for match in filter(None, (shape.match(event.text) for shape in shapes)):
                    yield dialogue, match["value"]


@pytest.mark.parametrize("language", ["en", "de"])
def test_nobody_rules_out_what_they_want(language: str) -> None:
    """ "From Niederau. Anything but Möwenhafen", and then to Möwenhafen"""
    count = 0
    for dialogue, other in instructed(language, "negation", "other"):
        assert dialogue.scenario is not None and dialogue.scenario.goal is not None
        goal = dialogue.scenario.goal
        if "changes" not in goal:
            count += 1
            assert other not in map(str, goal["values"].values())
    assert count


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_number_changes_for_a_reason_that_fits(language: str) -> None:
    """ "My little one has a fever. 7 won't work. 19 please" of a question of a quiz"""
    kind = scenario_texts(language).kinds["event"]
    assert all({*reasons} <= {*kind.reasons} for reasons in kind.suits.values())
    (note,) = kind.suiting("integer")
    fever = next(reason for reason in kind.reasons if re.search("fever|krank", reason))
    assert note != fever and note in kind.reasons
    assert kind.suiting("another kind") == tuple(kind.reasons)


def test_reminders_use_short_names() -> None:
    """A hotel is "the Lantern" to somebody who has called it Lantern House."""
    words = compile_task(pack.load("hotel_book")).words
    whole = next(form for form in words.forms("hotel", "Lantern House") if "House" in form.text)
    assert words.short(whole).text == "the Lantern"
    doors = compile_task(pack.load("spaceship_access_codes")).words
    for door in doors.forms("door", "Cargo Bay"):  # "the stores" is another word for it
        assert {*doors.short(door).text.lower().split()} <= {*door.text.lower().split(), "the"}


def test_the_question_after_the_last_is_the_first() -> None:
    """ "Next one!" "Which insect glows on summer nights?", four times in a row"""
    program = compile_task(pack.load("trivia"))
    counter = program.schema.slots["question"]
    assert counter.maximum is not None
    state = DialogueState(program)
    state.give(program.words.forms("question", int(counter.maximum))[0])
    assert state.count("question").canonical == int(counter.minimum or 1)


def test_only_open_tasks_are_left_for_later() -> None:
    """ "What were we at? Great" of a task of which nothing was open"""
    tasks = tuple(pack.load(name) for name in pack.names())
    plan = StarPlan(tasks=tasks, seed=5, dialogues=120, scenario="multi")
    source, left = plan.source(), 0
    for events in (source(index).events for index in range(plan.dialogues)):
        starts = [at for at, each in enumerate(events) if isinstance(each, Selection)]
        for place, at in enumerate(starts[1:], start=1):
            was, later = events[starts[place - 1]], [events[n] for n in starts[place:]]
            turns = [e for e in events[:at] if isinstance(e, Utterance)]
            reply = next(e.text for e in reversed(turns) if e.agent == SYSTEM)
            if isinstance(was, Selection) and was.task in {
                e.task for e in later if isinstance(e, Selection)
            }:
                left += 1
                assert reply.endswith("?"), reply
    assert left
