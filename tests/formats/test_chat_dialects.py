"""Chat messages in other spellings: what is read, and that it comes back as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.formats.chat.marks import OWN
from tests.make import refuses

ASK, DONE = {"role": "user", "content": "A taxi."}, {"role": "assistant", "content": "Done."}
CALL = {"name": "book", "arguments": '{"seats": 2}'}
USE = {"type": "tool_use", "id": "toolu_1", "name": "book", "input": {"seats": 2}}
RESULT = {"type": "tool_result", "tool_use_id": "toolu_1", "content": '{"ok": true}'}
LOOK = {"type": "text", "text": "Let me look."}

LEGACY = {
    "messages": [
        ASK,
        {"role": "assistant", "content": None, "function_call": CALL},
        {"role": "function", "name": "book", "content": '{"ok": true}'},
        DONE,
    ]
}
ANTHROPIC = {
    "system": "Be brief.",
    "messages": [
        ASK,
        {"role": "assistant", "content": [LOOK, USE]},
        {"role": "user", "content": [RESULT, {"type": "text", "text": "Thanks."}]},
        DONE,
    ],
}
SHAREGPT = {
    "conversations": [
        {"from": "human", "value": "A taxi."},
        {"from": "function_call", "value": '{"name": "book", "arguments": {"seats": 2}}'},
        {"from": "observation", "value": '{"ok": true}'},
        {"from": "gpt", "value": "Done.", "weight": 1},
    ],
    "tools": "[]",
}
PARTS = {
    "messages": [
        {"role": "user", "content": [{"type": "text", "value": "A taxi."}], "loss_weight": 0.0},
        {"role": "assistant", "content": [{"type": "text", "value": "Done."}]},
    ]
}


def events(file: Path) -> list[Any]:
    (dialogue,) = formats.load(file).dialogues()
    return list(dialogue.events)


@pytest.mark.parametrize("value", [LEGACY, ANTHROPIC, SHAREGPT])
def test_calls_and_results_are_read(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(value) + "\n")
    log = events(file)
    (query,) = (event for event in log if isinstance(event, Query))
    (result,) = (event for event in log if isinstance(event, Result))
    assert (query.api, [(c.slot, c.value) for c in query.constraints]) == ("book", [("seats", 2)])
    assert (result.query, result.items) == (query.id, ({"ok": True},))
    turns = [(event.agent, event.text) for event in log if isinstance(event, Utterance)]
    assert turns[0] == (USER, "A taxi.")
    assert turns[-1] == (SYSTEM, "Done.")


@pytest.mark.parametrize("value", [LEGACY, ANTHROPIC, SHAREGPT, PARTS])
@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_conversations_come_back_value_for_value(value: Any, name: str, tmp_path: Path) -> None:
    several = [value, {**value, "id": "2"}]
    file = tmp_path / name
    text = json.dumps(several) if name == "a.json" else "\n".join(map(json.dumps, several)) + "\n"
    file.write_text(text)
    corpus = formats.load(file)
    (tmp_path / "out").mkdir()
    assert not convert(corpus.dialogues, {}, formats.get("chat"), tmp_path / "out")
    back = (tmp_path / "out" / name).read_text()
    read = json.loads(back) if name == "a.json" else list(map(json.loads, back.splitlines()))
    assert read == several


def test_texts_of_parts_under_another_key_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps([PARTS]))
    assert [event.text for event in events(file)] == ["A taxi.", "Done."]


@pytest.mark.parametrize(
    "message",
    [
        {"role": "function", "name": "book", "content": "no call before"},
        {"role": "user", "content": "Hi", "dialect": "mine"},
        {"role": "assistant", "content": [USE | {"id": 7}]},
    ],
)
def test_what_would_not_come_back_is_read_as_it_is(message: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    value = {"messages": [ASK, message, DONE]}
    file.write_text(json.dumps(value) + "\n")
    corpus = formats.load(file)
    assert json.loads(formats.get("chat").render_file(list(corpus.dialogues()))) == value


@pytest.mark.parametrize(
    ("blocks", "answers"),
    [
        ([USE, LOOK], [RESULT]),
        ([LOOK, USE, LOOK, USE | {"id": "toolu_2"}], [RESULT, RESULT | {"tool_use_id": "toolu_2"}]),
        ([USE], [LOOK, RESULT, LOOK]),
    ],
)
def test_blocks_in_any_order_are_read_and_come_back(
    blocks: list[Any], answers: list[Any], tmp_path: Path
) -> None:
    odd = {"role": "assistant", "content": [USE | {"id": 7}]}  # read as it is, alone
    call, answered = {"role": "assistant", "content": blocks}, {"role": "user", "content": answers}
    value = {"messages": [ASK, call, answered, odd, DONE]}
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(value) + "\n")
    log = events(file)
    queries = [event.id for event in log if isinstance(event, Query)]
    assert queries == [each["id"] for each in blocks if each is not LOOK]
    assert [event.query for event in log if isinstance(event, Result)] == queries
    corpus = formats.load(file)
    assert json.loads(formats.get("chat").render_file(list(corpus.dialogues()))) == value


TURNS = [{"from": "human", "value": "Hi."}, {"from": "bing", "value": "Hello."}]


def test_assistants_by_name_and_empty_conversations_come_back(tmp_path: Path) -> None:
    bard = [TURNS[0], TURNS[1] | {"from": "bard"}]
    several: list[Any] = [{"conversations": each} for each in (TURNS, [], bard)]
    file = tmp_path / "a.json"
    file.write_text(json.dumps(several))
    dialogues = list(formats.load(file).dialogues())
    assert [[each.agent for each in dialogue.events] for dialogue in dialogues] == [
        [USER, SYSTEM],
        [],
        [USER, SYSTEM],
    ]
    assert json.loads(formats.get("chat").render_file(dialogues)) == several


@pytest.mark.parametrize("before", [[], TURNS])
def test_an_unknown_speaker_is_refused_by_name(before: list[Any], tmp_path: Path) -> None:
    turns = [*before, {"from": "cook", "value": "Hello."}]
    file = tmp_path / "a.json"
    file.write_text(json.dumps([{"id": "b", "conversations": turns}]))
    place = ("conversation 1", "dialogue b", f"event {len(before)}")
    with refuses(FormatError, "no-speaker", *place, "'cook'", "human"):
        list(formats.load(file).dialogues())


@pytest.mark.parametrize("name", ["abcd", "convlab", "sdialog", "tau", "tau2"])
@pytest.mark.parametrize("value", [LEGACY, ANTHROPIC, SHAREGPT])
def test_a_spelling_leaves_no_marks_in_other_formats(value: Any, name: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(value) + "\n")
    (tmp_path / "out").mkdir()
    convert(formats.load(tmp_path / "a.jsonl").dialogues, {}, formats.get(name), tmp_path / "out")
    (path,) = (file for file in (tmp_path / "out").rglob("*") if file.is_file())
    text = path.read_text()
    assert not [mark for mark in (OWN, "dialect", "places of calls") if mark in text]
    assert not value.get("conversations") or '"from"' not in text


@pytest.mark.parametrize("name", ["abcd", "sdialog"])
def test_texts_in_parts_are_joined_where_a_message_has_a_text(name: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps(ANTHROPIC) + "\n")
    (tmp_path / "out").mkdir()
    convert(formats.load(tmp_path / "a.jsonl").dialogues, {}, formats.get(name), tmp_path / "out")
    (dialogue,) = formats.load(tmp_path / "out").dialogues()
    texts = [event.text for event in dialogue.events if isinstance(event, Utterance)]
    assert texts == ["A taxi.", "Let me look.", "Thanks.", "Done."]
