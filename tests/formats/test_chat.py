"""Dialogues as chat messages with tool calls: what a trainer finds in a line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import (
    Completion,
    Constraint,
    Dialogue,
    Event,
    Instruction,
    Options,
    Query,
    Result,
    Utterance,
)
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.values import alike
from dialoom.formats.chat import FORMAT, arguments, read, render
from dialoom.formats.native import FORMAT as NATIVE
from dialoom.schema import pack
from tests.strategies import constraints, dialogues, few, sampled

FILE = Path("chat.jsonl")


def line(*events: Event, **fields: Any) -> dict[str, Any]:
    """Return the one line that these events give."""
    value: dict[str, Any] = json.loads(render([Dialogue(id="1", events=events, **fields)]))
    return value


def messages(*events: Event) -> list[dict[str, Any]]:
    chat: list[dict[str, Any]] = line(*events)["messages"]
    return chat


def back(data: bytes) -> list[Dialogue]:
    return list(read(data, FILE, FILE.name))


ASK = Utterance(agent="user", text="A ferry in the north?")
FIND = Query(
    id="7",
    api="find_ferry",
    constraints=(Constraint("area", values=("north",)), Constraint("seats", "at_least", (2,))),
)
FOUND = Result(query="7", items=({"name": "Grey Heron", "seats": 4},), total=3)
OFFER = Utterance(agent="system", text="The Grey Heron?")


def test_roles_calls_and_results() -> None:
    record = line(ASK, FIND, FOUND, OFFER)
    assert record["id"] == "1"
    user, call, tool, assistant = record["messages"]
    assert user == {"role": "user", "content": "A ferry in the north?"}
    assert (call["role"], call["content"]) == ("assistant", None)
    [query] = call["tool_calls"]
    assert (query["id"], query["type"]) == ("7", "function")
    assert query["function"]["name"] == "find_ferry"
    assert json.loads(query["function"]["arguments"]) == {"area": "north", "seats": {"at_least": 2}}
    assert (tool["role"], tool["tool_call_id"]) == ("tool", "7")
    assert json.loads(tool["content"]) == {
        "total": 3,
        "items": [{"name": "Grey Heron", "seats": 4}],
    }
    assert assistant == {"role": "assistant", "content": "The Grey Heron?"}


def test_they_come_back() -> None:
    [dialogue] = back(render([Dialogue(id="1", events=(ASK, FIND, FOUND, OFFER))]))
    assert dialogue.events == (ASK, FIND, FOUND, OFFER)


def test_calls_in_a_row_and_after_words_share_a_message() -> None:
    other = Query(id="8", api="find_hotel")
    chat = messages(ASK, OFFER, FIND, other, FOUND, Result(query="8"), OFFER)
    assert [message["role"] for message in chat] == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
    ]
    assert chat[1]["content"] == "The Grey Heron?"
    assert [call["id"] for call in chat[1]["tool_calls"]] == ["7", "8"]


def test_a_call_that_nothing_answers_gets_an_empty_answer_unless_it_comes_last() -> None:
    assert messages(FIND, OFFER)[1] == {"role": "tool", "tool_call_id": "7", "content": ""}
    assert [message["role"] for message in messages(ASK, FIND)] == ["user", "assistant"]
    [dialogue] = back(render([Dialogue(id="1", events=(FIND, OFFER, FIND))]))
    assert dialogue.events == (FIND, OFFER, FIND)


def test_the_guide_and_facts_nobody_asked_for_are_named() -> None:
    guide, facts = messages(Instruction(text="Be brief."), Result(items=({"a": 1},)))
    assert guide == {"role": "system", "name": "guide", "content": "Be brief."}
    assert facts == {"role": "system", "name": "kb", "content": '[{"a": 1}]'}


def test_what_is_no_message_is_left_out_and_reported(tmp_path: Path) -> None:
    dialogue = Dialogue(id="1", events=(ASK, Options(text="hm"), OFFER, Completion()), batch="a")
    assert [m["role"] for m in messages(*dialogue.events)] == ["user", "assistant"]
    loss = convert(lambda: iter([dialogue]), {}, FORMAT, tmp_path)
    assert loss == {"dialogue.batch": 1, "options": 1, "options.text": 1, "completion": 1}


def test_names_that_no_provider_takes_are_changed() -> None:
    [call] = messages(Query(id="1", api="Find a ferry!"))
    assert call["tool_calls"][0]["function"]["name"] == "Find_a_ferry_"


def test_tools_are_those_of_the_tasks(tmp_path: Path) -> None:
    task = pack.load("hotel_book")
    dialogue = Dialogue(id="1", events=(ASK,), services=(task.id,))
    FORMAT.write([dialogue], {task.id: task}, tmp_path)
    [file] = FORMAT.files(tmp_path)
    tools = json.loads(file.read_bytes())["tools"]
    assert [tool["function"]["name"] for tool in tools] == ["hotel_book"]
    assert tools[0]["function"]["parameters"]["required"]


def test_tools_without_a_task_are_made_from_calls() -> None:
    [tool] = line(FIND)["tools"]
    assert tool["function"]["parameters"]["properties"] == {"area": {"type": "string"}, "seats": {}}
    assert "tools" not in line(ASK)


@given(few(constraints()))
def test_every_operator_survives(found: tuple[Constraint, ...]) -> None:
    content = arguments.write(found)
    read = arguments.read(content)
    assert arguments.write(read) == content
    assert sorted(map(repr, read)) == sorted(map(repr, found))


def test_a_parameter_given_twice_and_text_unread() -> None:
    twice = (Constraint("a", "at_least", (1,)), Constraint("a", "less", (5,)))
    assert arguments.write(twice) == {"a": {"all_of": [{"at_least": 1}, {"less": 5}]}}
    assert arguments.read(arguments.write(twice)) == twice
    unread = (Constraint("a", None, (), "0314"),)
    assert arguments.write(unread) == {"a": {"text": "0314"}}
    assert arguments.read(arguments.write(unread)) == unread


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=3))
def test_any_dialogue_can_be_written_and_written_again(found: list[Dialogue]) -> None:
    once = render(found)
    twice = render(back(once))
    pairs = zip(once.split(b"\n")[:-1], twice.split(b"\n")[:-1], strict=True)
    assert all(alike(json.loads(a), json.loads(b)) for a, b in pairs)


def test_a_folder_and_a_file_are_recognised_and_native_lines_are_not(tmp_path: Path) -> None:
    chat, native = tmp_path / "chat", tmp_path / "native"
    dialogue = Dialogue(id="1", events=(ASK,), extra={"messages": [1]})
    for folder, format in ((chat, FORMAT), (native, NATIVE)):
        folder.mkdir()
        format.write([dialogue], {}, folder)
    assert formats.load(chat).format == "chat"
    assert formats.load(formats.load(chat).files[0]).format == "chat"
    assert formats.load(native).format == "native"
    assert formats.load(native / "dialogues-00000.jsonl").format == "native"


@pytest.mark.parametrize("count", [1, 3])
def test_lines_are_counted(count: int) -> None:
    assert render([Dialogue(id="1", events=(ASK,))] * count).count(b"\n") == count
