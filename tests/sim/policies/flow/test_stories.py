"""Dialogues of stories: what tasks share, what leads from one to the next, and instructions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rapidfuzz import fuzz

from dialoom.dialogue import (
    USER,
    Dialogue,
    Instruction,
    Layer,
    Part,
    Result,
    Selection,
    Span,
    Utterance,
)
from dialoom.errors import SchemaError
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.sim import Maker, StarPlan
from dialoom.sim.policies.flow.recorder import lead_in
from dialoom.sim.stories.reading import read_story
from dialoom.sim.stories.story import TaskStory
from tests.cli.runner import Run
from tests.make import refuses

EXAMPLE = Path(__file__).parents[4] / "examples" / "travel_day.yaml"
NUMBER = 80


@cache
def made(story: TaskStory | None = None, *names: str) -> list[Dialogue]:
    return [*_made(story, *names)]


def _made(story: TaskStory | None, *names: str) -> Iterator[Dialogue]:
    tasks = tuple(map(pack.load, names or pack.names()))
    tasks = tasks if story is None else tuple(story.tasks.values())
    plan = StarPlan(tasks=tasks, story=story, seed=3, dialogues=NUMBER, scenario="multi")
    maker = Maker(plan)
    return (maker.dialogue(index) for index in range(NUMBER))


@cache
def travelled() -> list[Dialogue]:
    return [*_made(read_story(EXAMPLE))]


def goals(dialogue: Dialogue) -> dict[str, Any]:
    assert dialogue.scenario is not None
    return {task: goal["values"] for task, goal in dialogue.scenario.goal["tasks"].items()}


def story_of(folder: Path, text: str) -> TaskStory:
    file = folder / "story.yaml"
    file.write_text(text, encoding="utf-8")
    return read_story(file)


def test_the_travel_day_has_no_finding() -> None:
    linter = Linter(dict(read_story(EXAMPLE).tasks), 3)
    assert [str(f) for dialogue in travelled() for f in linter.check(dialogue)] == []


def test_tasks_come_in_the_order_of_a_sequence() -> None:
    sequences = read_story(EXAMPLE).sequences
    for dialogue in travelled():
        tasks = dict.fromkeys(e.task for e in dialogue.events if isinstance(e, Selection))
        assert any(
            len(tasks) == len(sequence)
            and all(task in place for task, place in zip(tasks, sequence, strict=True))
            for sequence in sequences
        )


def test_shared_slots_have_one_value() -> None:
    for dialogue in travelled():
        wishes = goals(dialogue)
        assert len({values["name"] for values in wishes.values() if "name" in values}) == 1
        assert wishes.get("plane_search", {}).get("arrival", "San Tirso") == "San Tirso"
        if "restaurant_book" in wishes:
            assert wishes["restaurant_book"]["time"] >= "19:00"


def test_a_result_leads_on() -> None:
    """The flight that a search has found is the one that is booked."""
    booked = Counter[bool]()
    for dialogue in travelled():
        wishes = goals(dialogue)
        results = [e.items for e in dialogue.events if isinstance(e, Result)]
        flights = [items[0].get("id") for items in results if items]
        if "plane_search" in wishes:
            booked[wishes["plane_book"]["flight_id"] in flights] += 1
    assert booked[True] > 5 * booked[False]


def test_events_are_mentioned_in_the_next_turn() -> None:
    story, count = read_story(EXAMPLE), 0
    events = {bridge.happens: bridge.say for bridge in story.bridges}
    events |= {instruction.happens: instruction.say for instruction in story.instructions}
    for dialogue in travelled():
        for place, event in enumerate(dialogue.events):
            if not isinstance(event, Instruction):
                continue
            for happens, say in events.items():
                if happens and happens in event.text:
                    after = dialogue.events[place:]
                    turn = next(e.text for e in after if isinstance(e, Utterance))
                    likeness = max(fuzz.partial_ratio(words, turn) for words in say)
                    assert likeness > 80, (event.text, turn)  # people mistype
                    count += 1
    assert count > NUMBER / 2


def test_users_get_topics_and_names_but_not_every_value() -> None:
    for dialogue in travelled():
        assert dialogue.scenario is not None
        briefing = dialogue.scenario.user_task or ""
        wishes = goals(dialogue)
        assert "Find a bed for the nights of your stay." in briefing
        assert wishes["plane_book"]["name"] in briefing
        assert wishes["hotel_book"]["hotel"] in briefing
        assert "19" not in briefing.replace(str(wishes["plane_book"]["flight_id"]), "")
        assert (str(wishes["plane_book"]["flight_id"]) in briefing) != ("plane_search" in wishes)


def test_one_of_the_personas_is_played() -> None:
    personas = set(read_story(EXAMPLE).personas)
    played = {d.scenario.goal["person"] for d in travelled() if d.scenario is not None}
    assert played == personas


def test_several_tasks_belong_together() -> None:
    for dialogue in made():
        assert dialogue.scenario is not None
        assert dialogue.scenario.goal["story"]
    for dialogue in made(None, "weather", "plane_search", "plane_book", "trivia"):
        assert "trivia" not in goals(dialogue) or len(goals(dialogue)) > 1


def test_a_looked_up_value_is_in_the_table() -> None:
    """Two tables without a name in common are given the same customer."""
    arranged = [
        goal["state"]
        for dialogue in made()
        if dialogue.scenario is not None
        for goal in dialogue.scenario.goal["tasks"].values()
        if "state" in goal
    ]
    assert arranged
    assert all(rows["changed"] for state in arranged for rows in state.values())


def test_constraints_that_nothing_meets_are_an_error(tmp_path: Path) -> None:
    text = "story: never\nsequences:\n  - [weather, restaurant_book]\nconstraints:\n"
    story = story_of(tmp_path, text + "  - restaurant_book.guests is greater than 99\n")
    with refuses(SchemaError, "bad-task", "story never", "restaurant_book.guests", "99"):
        made.__wrapped__(story)


def test_values_are_redrawn_if_they_leave_a_later_task_none(tmp_path: Path) -> None:
    text = "story: feast\nsequences:\n  - [party_rsvp, restaurant_book]\nslots:\n"
    text += "  restaurant_book.guests: {from: 2, to: 6}\nconstraints:\n"
    story = story_of(tmp_path, text + "  - restaurant_book.guests is at least party_rsvp.guests\n")
    assert len(made.__wrapped__(story)) == NUMBER


def test_stories_are_the_same_with_any_workers(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    settings = ("simulate", "--story", EXAMPLE, "-n", "12", "--seed", "4")
    assert run(*settings, "--out", one).code == 0
    assert run(*settings, "--workers", "2", "--out", two).code == 0
    assert (one / "manifest.json").read_bytes() == (two / "manifest.json").read_bytes()


@pytest.mark.parametrize(
    ("text", "lead", "whole"),
    [
        ("Hello, I need a room.", "Okay, next.", "Okay, next. I need a room."),
        ("Hi there! A room, please.", "Now,", "Now, a room, please."),
        ("I need a room.", "Now,", "Now, I need a room."),
        ("Hello", "Back to this.", "Back to this. Hello"),
        ("A room, please.", "", "A room, please."),
    ],
)
def test_lead_ins_take_the_place_of_greetings(text: str, lead: str, whole: str) -> None:
    assert lead_in(Utterance(agent=USER, text=text), lead, "en").text == whole


def test_a_lead_in_leaves_the_value_after_a_greeting_as_it_is() -> None:
    part = Part(spans=(Span(4, 10),))
    turn = Utterance(agent=USER, text="Ok, expert.", layers=(Layer("gold", (part,)),))
    assert lead_in(turn, "Now,", "en").text == "Now, expert."
