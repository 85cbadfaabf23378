"""Chat messages of other services: which events they become, and what is told from ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.formats.messages import OTHERS, conversation, read
from tests.formats.star_json import DATA
from tests.make import refuses

CORPUS = {each.id: each for each in formats.load(DATA / "messages").dialogues()}
WITH_CALLS = ("gemini", "bedrock", "vercel", "vercel-4", "langchain", "glaive", "responses")


def texts(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(each.agent, each.text) for each in dialogue.events if isinstance(each, Utterance)]


def loaded(value: Any, folder: Path, name: str = "chat.json") -> list[Dialogue]:
    file = folder / name
    file.write_text(value if isinstance(value, str) else json.dumps(value))
    corpus = formats.load(file)
    assert corpus.format == "messages"
    return list(corpus.dialogues())


@pytest.mark.parametrize("name", WITH_CALLS)
def test_calls_and_results_of_each_service(name: str) -> None:
    events = CORPUS[name].events
    (query,) = [each for each in events if isinstance(each, Query)]
    (result,) = [each for each in events if isinstance(each, Result)]
    assert (query.api, query.constraints[0].slot) == ("find_ferry", "port")
    assert query.constraints[0].values == ("Ostby",)
    assert result.query == query.id
    assert result.items == (() if name == "responses" else ({"time": "09:30"},))
    assert events.index(query) < events.index(result)
    assert texts(CORPUS[name])[0] == (USER, "To Ostby?")
    assert texts(CORPUS[name])[-1][0] == SYSTEM


def test_a_list_of_messages_is_one_conversation(tmp_path: Path) -> None:
    pair = [{"role": "user", "content": "Hi."}, {"role": "assistant", "content": "Hello."}]
    (one,) = loaded(pair, tmp_path)
    assert texts(one) == [(USER, "Hi."), (SYSTEM, "Hello.")]
    assert len(loaded([pair, pair], tmp_path)) == 2
    lines = "".join(json.dumps(pair) + "\n" for _ in range(3))
    assert len(loaded(lines, tmp_path, "chat.jsonl")) == 3
    assert len(loaded("".join(json.dumps(each) + "\n" for each in pair), tmp_path, "b.jsonl")) == 1


def test_other_blocks_and_items_are_kept() -> None:
    thought = {"type": "reasoning", "text": "Hm."}
    image = {"inlineData": {"data": "AA=="}}
    value = {"messages": [{"role": "user", "parts": [image, {"text": "Hi."}]}, thought]}
    record = conversation(value)
    assert record["messages"] == [{"role": "user", "content": "Hi.", OTHERS: [image]}]
    assert record[OTHERS] == [thought]


def test_calls_without_ids_are_answered_in_order() -> None:
    calls: list[Any] = [{"functionCall": {"name": name, "args": {}}} for name in ("a", "b", "a")]
    answers: list[Any] = [
        {"functionResponse": {"name": name, "response": {}}} for name in ("b", "a", "a")
    ]
    value = {
        "contents": [{"role": "model", "parts": calls}, {"role": "user", "parts": answers}],
    }
    request, *replies = conversation(value)["messages"]
    ids = [call["id"] for call in request["tool_calls"]]
    assert [each["tool_call_id"] for each in replies] == [ids[1], ids[0], ids[2]]


def test_the_branch_of_a_tree_that_was_shown_last_is_read() -> None:
    assert texts(CORPUS["chatgpt"]) == [(USER, "To Ostby?"), (SYSTEM, "On which day?")]


@pytest.mark.parametrize(
    "value", [{"question": "Hi."}, [{"role": "cook", "content": "Hi."}], [[7]]]
)
def test_other_json_is_refused(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(value))
    with pytest.raises(FormatError):
        list(formats.load(file).dialogues())


HI: dict[str, Any] = {"role": "user", "content": "Hi."}
NODE = {"message": {"author": {"role": "user"}, "content": {"parts": ["Hi."]}}, "parent": None}


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ({"foo": 1}, "messages"),
        ({"messages": [{"foo": 1}]}, "role"),
        ({"messages": [HI | {"type": ["message"]}]}, "'type'"),
        ({"messages": [HI | {"role": "cook"}]}, "'cook'"),
        ({"mapping": {"a": NODE}, "current_node": "z"}, "'z'"),
        ({"mapping": {"a": NODE}}, "''"),
        ({"mapping": {"a": NODE | {"parent": {"x": 1}}}, "current_node": "a"}, "'x'"),
        ({"mapping": {"a": NODE | {"parent": "a"}}, "current_node": "a"}, "circle"),
        ({"text": "<|im_start|>user\nHi.<|im_end|>\nlost"}, "lost"),
        ({"text": "<|im_start|>cook\nHi.<|im_end|>\n"}, "'cook'"),
    ],
)
def test_a_conversation_without_messages_is_refused(value: Any, named: str) -> None:
    lines = json.dumps({"contents": [HI]}) + "\n" + json.dumps(value) + "\n"
    with refuses(FormatError, "wrong-type", "a.jsonl, line 2:", named):
        list(read(lines.encode(), Path("a.jsonl"), "a.jsonl"))
    with refuses(FormatError, "wrong-type", "a.json, dialogue number 0:", named):
        list(read(json.dumps([value]).encode(), Path("a.json"), "a.json"))


def test_classes_of_constructors_give_the_roles(tmp_path: Path) -> None:
    value = [
        {"lc": 1, "type": "constructor", "id": ["langchain", name], "kwargs": {"content": text}}
        for name, text in (("HumanMessage", "Hi."), ("AIMessageChunk", "Hello."))
    ]
    (one,) = loaded(value, tmp_path)
    assert texts(one) == [(USER, "Hi."), (SYSTEM, "Hello.")]


@pytest.mark.parametrize(
    ("block", "content"),
    [
        ({"type": "text", "text": "Ada"}, "Ada"),
        ({"json": {"price": 3}}, '{"price": 3}'),
        ({"text": "Ada", "price": 3}, '[{"text": "Ada", "price": 3}]'),
        ({"text": "Ada", "json": 3}, '[{"text": "Ada", "json": 3}]'),
    ],
)
def test_an_answer_of_one_block_keeps_its_fields(block: Any, content: str) -> None:
    result = {"toolResult": {"toolUseId": "1", "content": [block]}}
    record = conversation({"messages": [HI, {"role": "user", "content": [result]}]})
    assert record["messages"][-1]["content"] == content


def only(message: Any) -> list[Any]:
    """Return the messages that one message becomes after one of the user."""
    messages: list[Any] = conversation({"messages": [HI, message]})["messages"][1:]
    return messages


@pytest.mark.parametrize(
    ("content", "text", "other"),
    [
        ({"content_type": "code", "text": "1 + 1"}, "1 + 1", {"content_type": "code"}),
        ({"content_type": "thoughts", "thoughts": ["Hm."]}, "", None),
        (
            [{"type": "text", "text": "Two.", "signature": "x", "seen": []}],
            "Two.",
            {"signature": "x"},
        ),
    ],
)
def test_other_keys_of_a_text_are_kept(content: Any, text: str, other: Any) -> None:
    (message,) = only({"role": "assistant", "content": content})
    assert (message["content"], message[OTHERS]) == (text, [other or content])


def test_other_keys_of_calls_and_answers_are_kept() -> None:
    call = {"functionCall": {"name": "find", "args": {}}, "signature": "x"}
    request, *_ = only({"role": "model", "parts": [call]})
    assert request["tool_calls"][0]["signature"] == "x"
    failed = {"toolResult": {"toolUseId": "1", "content": [{"text": "no"}], "status": "error"}}
    (turn,) = only({"role": "user", "content": [failed]})
    assert (turn["content"], turn["status"]) == ("no", "error")
    tool = {"type": "tool-find", "toolCallId": "1", "state": "output-error", "errorText": "down"}
    _, turn = only({"role": "assistant", "parts": [tool]})
    assert (turn["tool_call_id"], turn["content"], turn["state"]) == ("1", "down", "output-error")


@pytest.mark.parametrize(
    ("output", "content"),
    [
        ({"type": "json", "value": {"price": 3}}, '{"price": 3}'),
        ({"type": "text", "value": "Ada"}, "Ada"),
        ({"type": "error-text", "value": "no"}, '{"type": "error-text", "value": "no"}'),
    ],
)
def test_a_typed_output_is_its_value(output: Any, content: str) -> None:
    result = {"type": "tool-result", "toolCallId": "1", "toolName": "find", "output": output}
    (message,) = only({"role": "tool", "content": [result]})
    assert message["content"] == content


FIND = {"name": "find", "arguments": "{}"}


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (
            {"message": "", "tool_calls": [{"name": "find", "parameters": {}}]},
            {"tool_results": [{"call": {"name": "find", "parameters": {}}, "outputs": []}]},
        ),
        (
            {"content": "", "additional_kwargs": {"function_call": FIND}, "tool_calls": []},
            {"name": "find", "content": "[]"},
        ),
        (
            {"content": "", "additional_kwargs": {"tool_calls": [{"id": "1", "function": FIND}]}},
            {"tool_call_id": "1", "content": "[]"},
        ),
    ],
)
def test_calls_of_older_services_are_answered(call: Any, answer: Any) -> None:
    value = [HI, {"role": "CHATBOT"} | call, {"role": "TOOL"} | answer]
    _, request, reply = conversation(value)["messages"]
    (tool_call,) = request["tool_calls"]
    assert (tool_call["function"]["name"], reply["tool_call_id"]) == ("find", tool_call["id"])
    assert reply["content"] == "[]"


def test_a_message_whose_type_is_its_role_keeps_its_keys() -> None:
    (message,) = only({"type": "function", "name": "find", "content": "[]"})
    assert (message["role"], message["name"]) == ("tool", "find")
