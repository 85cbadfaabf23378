from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.collect.kinds.room.messages import (
    Accomplish,
    Ask,
    Choose,
    FormCondition,
    Say,
    SwitchTask,
)
from dialoom.collect.kinds.room.questions import SUCCESS
from dialoom.collect.kinds.room.wizard import packages
from dialoom.dialogue import (
    SYSTEM,
    Answer,
    Dialogue,
    Instruction,
    Options,
    Query,
    Result,
    Selection,
    Utterance,
    decode,
    encode,
)
from dialoom.dialogue.views import label, selected_items
from dialoom.formats.star.publishing import ValueListing
from dialoom.quality.lint import lint
from tests.collect.rooms import TABLE, Played, answers, booked, scenario

# --- as a dialogue --------------------------------------------------------------------------------


def completed(made: Played) -> Played:
    made.send("user", Accomplish())
    made.send("user", answers(made.room, "user", rating=4))
    made.send("wizard", answers(made.room, "wizard"))
    return made


def several() -> Played:
    session = Played(scenario("restaurant_book", "hotel_book", instructions=((1, "Ask for two."),)))
    session.user("A table at the Juniper and a room, please.")
    session.send("wizard", SwitchTask("restaurant_book"))
    session.wizard("hello", "hello")
    session.user("Four people, at eight.")
    session.ask("restaurant_book", TABLE | {"RequestType": "Check"})
    session.ask("restaurant_book", TABLE | {"Time": "20:00", "RequestType": "Check"})
    session.send("wizard", Choose("secondary", 0))
    session.send("wizard", Choose("primary", 0))
    session.send("wizard", Say("Both are free, which one?"))
    session.user("The later one.")
    session.send("wizard", SwitchTask("hotel_book"))
    session.wizard("hello", "hello")
    return completed(session)


def as_star(dialogue: Dialogue) -> Dialogue:
    """Return what STAR's files can hold of a room's dialogue, as its reader gives it."""
    events = []
    after = [*dialogue.events[1:], None]
    for event, following in zip(dialogue.events, after, strict=True):
        if isinstance(event, Options):
            picked = isinstance(following, Utterance) and label(following) is not None
            bare = tuple(replace(each, text=None) for each in event.candidates)
            event = replace(event, candidates=bare if picked else ())
        events.append(event)
    scenario = dialogue.scenario
    assert scenario is not None
    return replace(dialogue, events=tuple(events), scenario=replace(scenario, goal=None))


@pytest.mark.parametrize("made", [lambda: completed(booked()), several])
def test_it_reads_back_through_star_and_lints_clean(made: Any, tmp_path: Path) -> None:
    played = made()
    tasks = {task.id: task for task in played.room.tasks}
    dialogue = ValueListing(tasks).dialogue(
        played.room.dialogue("1", {"user": "17", "system": "4"})
    )
    assert dialogue.provenance == "collected"
    star = formats.get("star")
    star.write([dialogue], tasks, tmp_path)
    raw = json.loads((tmp_path / "dialogues" / "1.json").read_bytes())
    assert (raw["FORMAT-VERSION"], raw["CompletionLevel"]) == (7, "Complete")
    corpus = formats.load(tmp_path)
    [back] = corpus.dialogues()
    expected = replace(
        as_star(dialogue),
        provenance="imported",
        origin=back.origin,
        extra={"IntroducesConflicts": False},
    )
    assert back == expected
    assert [str(finding) for finding in lint(corpus)] == []


def test_an_instruction_ends_with_its_number_on_the_page_in_the_log_and_in_stars_file(
    tmp_path: Path,
) -> None:
    session = several()
    end = "[instruction 1 of 1]"
    [message] = [
        each["text"] for each in session.room.events.since("user") if each["kind"] == "instruction"
    ]
    [record] = [r for r in session.records if isinstance(r.body, Instruction)]
    assert isinstance(record.body, Instruction)
    assert (record.author, record.body.text) == ("guide", message)
    tasks = {task.id: task for task in session.room.tasks}
    formats.get("star").write([session.room.dialogue("1")], tasks, tmp_path)
    events = json.loads((tmp_path / "dialogues" / "1.json").read_bytes())["Events"]
    [line] = [event["Text"] for event in events if event["Agent"] == "UserGuide"]
    assert line == message and line.endswith(end)


def test_times_are_published_as_the_apis_list_them() -> None:
    room = several().room
    tasks = {task.id: task for task in room.tasks}
    dialogue = ValueListing(tasks).dialogue(room.dialogue())
    queries = [event for event in dialogue.events if isinstance(event, Query)]
    assert [c.values for c in queries[1].constraints if c.slot == "Time"] == [("8 pm",)]
    results = [event for event in dialogue.events if isinstance(event, Result)]
    assert [result.items[0]["Time"] for result in results] == ["7:30 pm", "8 pm"]
    selections = [event for event in dialogue.events if isinstance(event, Selection)]
    primary = [each.selected.primary for each in selections if each.selected is not None]
    assert primary[-1] == results[0].items[0]
    assert len(list(selected_items(dialogue.events))) == len(dialogue.events)


def test_a_wizard_of_frames_searches_packages() -> None:
    session = Played(scenario(packages.TASK.id), tasks={packages.TASK.id: packages.TASK})
    session.user("Somewhere warm with breakfast, please.")
    session.send("wizard", Ask("search_packages", (FormCondition("BREAKFAST", "equal", True),)))
    view = session.view("wizard")
    assert len(view["items"]) == 10
    assert (view["primary"], next(iter(view["flow"].values()))["expected"]) == (0, [])
    session.send("wizard", Choose("primary", 3))
    session.send("wizard", Say("I have one at {price}."))
    dialogue = completed(session).room.dialogue()
    [result] = [event for event in dialogue.events if isinstance(event, Result)]
    assert result.total is not None
    assert len(result.items) == 10 < result.total
    assert Answer(SYSTEM, SUCCESS, True) in dialogue.answers
    assert decode(encode(dialogue)) == dialogue
