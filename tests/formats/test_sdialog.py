"""SDialog: who is user and who is system, calls of tools among the events, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Constraint, Dialogue, Query, Result, Utterance
from dialoom.formats.base.conversion import convert
from dialoom.formats.sdialog import FORMAT
from tests.formats.golden import golden


def test_events_give_times_and_calls(tmp_path: Path) -> None:
    (dialogue,) = formats.load(golden("sdialog", tmp_path)).dialogues()
    ask, wait, query, result, done = dialogue.events
    assert dialogue.workers == {USER: "Ada", SYSTEM: "Desk Agent"}
    assert [ask.agent, wait.agent, done.agent] == [USER, SYSTEM, SYSTEM]
    assert (ask.time, done.time) == (100_000, 104_000)
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert (query.api, result.query, result.items) == ("press", query.id, ({"text": "on"},))
    assert dialogue.scenario is not None
    assert dialogue.scenario.goal == {"goal": "light"}


@pytest.mark.parametrize(
    ("names", "personas", "user"),
    [
        (["Ada", "Ben"], None, "Ada"),
        (["Support Agent", "Ada"], None, "Ada"),
        (["Ben", "Customer"], None, "Customer"),
        (["Ben", "Ada"], {"Ben": {"role": "bank assistant"}}, "Ada"),
        (["Bot", "Agent"], None, "Bot"),
    ],
)
def test_who_is_the_user(
    names: list[str], personas: dict[str, Any] | None, user: str, tmp_path: Path
) -> None:
    turns = [{"speaker": name, "text": "Hi."} for name in names]
    (tmp_path / "a.json").write_text(
        json.dumps({"seed": None, "personas": personas, "turns": turns})
    )
    (dialogue,) = formats.load(tmp_path / "a.json").dialogues()
    assert dialogue.workers[USER] == user
    assert sorted(event.agent for event in dialogue.events) == [SYSTEM, USER]


def test_a_result_that_is_no_text_is_json(tmp_path: Path) -> None:
    call = {"name": "rooms", "call_id": "c1"}
    contents = [call | {"args": {}}, call | {"output": ["attic", None]}]
    events = [{"agent": "Bot", "action": "tool", "content": each} for each in contents]
    raw = {"seed": 1, "turns": [], "events": events}
    (tmp_path / "a.json").write_text(json.dumps(raw))
    (dialogue,) = formats.load(tmp_path / "a.json")
    assert [e.items for e in dialogue.events if isinstance(e, Result)] == [
        ({"text": '["attic", null]'},)
    ]


def test_a_changed_word_leaves_times_and_calls(tmp_path: Path) -> None:
    corpus = formats.load(golden("sdialog", tmp_path))
    (dialogue,) = corpus.dialogues()
    first, *rest = dialogue.events
    assert isinstance(first, Utterance)
    changed = replace(dialogue, events=(replace(first, text="No lamp."), *rest))
    (tmp_path / "out").mkdir()
    loss = convert(lambda: iter((changed,)), {}, FORMAT, tmp_path / "out")
    assert {field for field in loss if not field.startswith("dialogue.extra")} == set()
    (value,) = [json.loads(file.read_bytes()) for file in (tmp_path / "out").iterdir()]
    assert [event["timestamp"] for event in value["events"]] == [100, 101, 102, 103, 104]


def test_times_and_calls_of_other_formats_are_events(tmp_path: Path) -> None:
    ask = Utterance(agent=USER, text="Light?", time=7000)
    query = Query(id="1", api="press", constraints=(Constraint("room", "equal", ("hall",)),))
    query = replace(query, time=9000)
    wait = Utterance(agent=SYSTEM, text="Let me see.", time=8000)
    result = Result(query="1", items=({"on": True},))
    dialogue = Dialogue(id="a", events=(ask, wait, query, result))
    assert not convert(lambda: iter((dialogue,)), {}, FORMAT, tmp_path)
    value = json.loads((tmp_path / "dialog_00001.json").read_bytes())
    value = value[0] if isinstance(value, list) else value
    assert [(each["agent"], each["timestamp"]) for each in value["events"]] == [
        ("User", 7),
        ("System", 8),
        ("System", 9),
        ("System", 0),
    ]
    assert value["events"][2]["content"]["args"] == {"room": "hall"}


def test_answers_of_tools_in_any_form_are_written(tmp_path: Path) -> None:
    call = {"id": "a", "type": "function", "function": {"name": "press", "arguments": "{}"}}
    messages: list[Any] = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    messages += [{"role": "tool", "tool_call_id": "a", "content": {"on": True}}]
    messages += [{"role": "tool", "tool_call_id": "a"}, {"role": "user", "content": ["Hi."]}]
    (tmp_path / "a.jsonl").write_text(json.dumps({"messages": messages}) + "\n")
    (tmp_path / "out").mkdir()
    loss = convert(formats.load(tmp_path / "a.jsonl").dialogues, {}, FORMAT, tmp_path / "out")
    assert not {"query", "result.items", "utterance.text"} & loss.keys()


@pytest.mark.corpus
def test_every_published_turn_is_read(corpora: Path) -> None:
    for file in (corpora / "others" / "sdialog").glob("*.json"):
        raw = json.loads(file.read_bytes())
        (dialogue,) = formats.load(file).dialogues()
        utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
        assert [each.text for each in utterances] == [turn["text"] for turn in raw["turns"]]
        assert {each.agent for each in utterances} == {USER, SYSTEM}
