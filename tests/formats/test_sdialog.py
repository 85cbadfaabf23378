"""SDialog: who is user and who is system, calls of tools among the events, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Query, Result, Utterance
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


@pytest.mark.corpus
def test_every_published_turn_is_read(corpora: Path) -> None:
    for file in (corpora / "others" / "sdialog").glob("*.json"):
        raw = json.loads(file.read_bytes())
        (dialogue,) = formats.load(file).dialogues()
        utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
        assert [each.text for each in utterances] == [turn["text"] for turn in raw["turns"]]
        assert {each.agent for each in utterances} == {USER, SYSTEM}
