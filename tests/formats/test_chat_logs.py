"""Chat logs from elsewhere come back value for value, and what is no chat is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import Dialogue, Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.formats.base.values import alike
from dialoom.formats.chat import FORMAT, read, render
from tests.make import refuses
from tests.strategies import json_values, names, sampled, texts

FILE = Path("chat.jsonl")

parts = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "image_url"])},
        optional={"text": texts | st.integers(0, 5), "image_url": json_values},
    ),
    max_size=3,
)
contents = (
    st.none()
    | texts
    | parts
    | st.lists(texts, max_size=2)
    | st.fixed_dictionaries({"type": st.just("text"), "text": texts})
    | json_values.map(json.dumps)
    | json_values.map(lambda value: json.dumps(value, separators=(",", ":")))
    | json_values.map(lambda value: json.dumps(value, indent=3))
)
ids = st.sampled_from(["a", "b", ""])
operators = st.sampled_from(["equal", "one_of", "at_least", "all_of", "text", "x"])
conditions = st.dictionaries(operators, json_values | st.lists(json_values, max_size=2), max_size=1)
arguments = st.dictionaries(names, json_values | conditions, max_size=3)
functions = st.fixed_dictionaries(
    {},
    optional={
        "name": names | st.just("find"),
        "arguments": arguments | arguments.map(json.dumps) | texts | json_values,
        "strict": st.booleans(),
    },
)
calls = st.fixed_dictionaries(
    {},
    optional={
        "id": ids | json_values,
        "type": st.just("function") | names,
        "function": functions | json_values,
        "index": json_values,
    },
)
fields = {
    "content": contents,
    "name": st.sampled_from(["kb", "guide", "ada"]) | json_values,
    "tool_calls": st.lists(calls | json_values, max_size=3) | json_values,
    "tool_call_id": ids | json_values,
    "weight": json_values,
    "chat": json_values,
}
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "developer"]) | names}, optional=fields
) | st.fixed_dictionaries(
    {"role": st.just("tool")}, optional=fields | {"content": contents | json_values}
)
conversations = st.fixed_dictionaries(
    {"messages": st.lists(messages, max_size=5)},
    optional={
        "id": names | json_values,
        "tools": json_values,
        "chat": json_values,
        "keys": json_values,
    },
)


def back(value: Any) -> Dialogue:
    [dialogue] = read(json.dumps(value).encode() + b"\n", FILE, FILE.name)
    return dialogue


def again(dialogue: Dialogue) -> Any:
    return json.loads(render([dialogue]))


@sampled
@given(conversations)
def test_any_log_comes_back(log: dict[str, Any]) -> None:
    dialogue = back(log)
    assert alike(again(dialogue), log)
    [twice] = read(render([dialogue]), FILE, FILE.name)
    assert twice == dialogue


def test_the_end_of_the_file_comes_back() -> None:
    for data in (b'{"messages":[]}', b'{"messages":[]}\n{"messages":[]}', b'{"messages":[]}\n'):
        assert render(list(read(data, FILE, FILE.name))) == data


def _call(id: str, arguments: str) -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": "find", "arguments": arguments}}


def _part(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


LOG = {
    "messages": [
        {"role": "developer", "content": "You sell ferry tickets."},
        {"role": "user", "content": [_part("One to "), _part("Skye.")]},
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [_call("a", '{"to":"Skye"}'), _call("b", "oops")],
        },
        {"role": "tool", "tool_call_id": "a", "content": '{"sails": "10:00"}'},
        {"role": "tool", "tool_call_id": "b", "content": "No such call."},
        {"role": "assistant", "content": "At ten.", "weight": 1},
    ]
}


def test_a_log_becomes_events() -> None:
    events = back(LOG).events
    assert [event.__struct_config__.tag for event in events] == [
        "instruction",
        "utterance",
        "query",
        "query",
        "result",
        "result",
        "utterance",
    ]
    utterance, query, answered, refused = events[1], events[2], events[4], events[5]
    assert isinstance(utterance, Utterance)
    assert isinstance(query, Query)
    assert isinstance(answered, Result)
    assert isinstance(refused, Result)
    assert utterance.text == "One to Skye."
    assert [(c.slot, c.value) for c in query.constraints] == [("to", "Skye")]
    assert (answered.query, answered.items) == ("a", ({"sails": "10:00"},))
    assert refused.items == ({"text": "No such call."},)


def test_one_changed_word_changes_that_word() -> None:
    dialogue = back(LOG)
    changed = []
    for event in dialogue.events:
        match event:
            case Utterance(text="One to Skye."):
                event = replace(event, text="One to Mull.")
            case Query(id="a"):
                event = replace(
                    event, constraints=(replace(event.constraints[0], values=("Mull",)),)
                )
            case Result(query="a"):
                event = replace(event, items=({"sails": "11:00"},))
            case _:
                pass
        changed.append(event)
    log = again(replace(dialogue, events=tuple(changed)))
    target = json.dumps(LOG).replace("Skye", "Mull").replace("10:00", "11:00")
    assert log == json.loads(target)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", ("empty",)),
        (b"[]", ("wrong-type", "messages")),
        (b'{"messages": {}}', ("wrong-type", "messages")),
        (b'{"messages": [1]}', ("wrong-type", "role")),
        (b'{"messages": [{"content": "a"}]}', ("wrong-type", "role")),
        (b'{"id": "b", "messages": [{"role": "user", "content": 3}]}', ("wrong-type", "b")),
        (b'{"messages": [{"role": "user", "content": {"a": "b"}}]}', ("wrong-type", "event 0")),
        (b'{"messages": [{"role": "user", "content": ["a", 1]}]}', ("wrong-type", "'content'")),
        (b'{"messages": []', ("not-json",)),
        (b'{"messages": [' + b"[" * 500 + b"]" * 500 + b"]}", ("too-deep",)),
        (b'{"messages": [{"role": "user", "content": "\xff"}]}', ("not-json",)),
    ],
)
def test_what_is_no_chat_is_refused(data: bytes, words: tuple[str, ...]) -> None:
    with refuses(FormatError, *words):
        list(read(data, FILE, FILE.name))


def test_the_place_of_an_error_is_named() -> None:
    data = b'{"messages": []}\n{"id": "b", "messages": [{"role": "user"}, {}]}\n'
    with refuses(FormatError, "wrong-type", "chat.jsonl", "line 2", "1"):
        list(read(data, FILE, FILE.name))


@settings(max_examples=200)
@given(st.binary(max_size=20), st.integers(0, 400), st.integers(0, 40))
def test_a_damaged_log_is_refused_or_read(noise: bytes, start: int, length: int) -> None:
    whole = json.dumps(LOG).encode() + b"\n"
    damaged = whole[:start] + noise + whole[start + length :]
    try:
        dialogues = list(read(damaged, FILE, FILE.name))
    except FormatError:
        return
    assert len(render(dialogues).splitlines()) == len(dialogues)


@pytest.mark.parametrize("arguments", [None, "", "{", []])
def test_arguments_that_are_no_object_come_back(arguments: Any) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "find", "arguments": arguments}}
    value = {"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]}
    dialogues = list(read(json.dumps(value).encode() + b"\n", FILE, FILE.name))
    assert json.loads(render(dialogues)) == value


@pytest.mark.parametrize(
    "content", [{"type": "text", "text": "To Mull.", "style": 1}, ["To ", {"text": "Mull."}]]
)
def test_one_part_and_parts_that_are_texts_are_read(content: Any) -> None:
    value = {"messages": [{"role": "user", "content": content}]}
    [utterance] = back(value).events
    assert isinstance(utterance, Utterance)
    assert utterance.text == "To Mull."
    assert again(back(value)) == value


@pytest.mark.parametrize(
    ("content", "items"),
    [
        ({"sails": "10:00"}, ({"sails": "10:00"},)),
        ([{"sails": "10:00"}], ({"sails": "10:00"},)),
        (3, ({"text": "3"},)),
    ],
)
def test_answers_of_tools_that_are_values_are_read(content: Any, items: Any) -> None:
    value = {"messages": [{"role": "tool", "tool_call_id": "a", "content": content}]}
    [result] = back(value).events
    assert isinstance(result, Result)
    assert result.items == items
    assert again(back(value)) == value


def test_dialogues_without_ids_keep_their_positional_ids(tmp_path: Path) -> None:
    lines = [{"messages": [{"role": "user", "content": word}]} for word in ("a", "b", "c", "d")]
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    dialogues = list(read(data, FILE, FILE.name))
    chosen = [dialogues[0], *dialogues[2:]]
    assert not convert(lambda: iter(chosen), {}, FORMAT, tmp_path)
    values = [json.loads(line) for line in (tmp_path / FILE).read_bytes().splitlines()]
    assert [value.get("id") for value in values] == [None, "chat-3", "chat-4"]
