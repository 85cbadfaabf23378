"""Calls of Taskmaster-3 and 4: queries and results after their utterance, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import Constraint, Dialogue, Query, Result, Utterance
from dialoom.formats.taskmaster1 import FORMAT
from tests.formats.laid_out import FILE


def pair(name: str, api: str, content: str, text: str, place: int) -> list[dict[str, str]]:
    context = f"{name}_{place}"
    return [
        {"name": name, "value": api, "context": context},
        {"name": content, "value": text, "context": context},
    ]


APIS = [
    {
        "name": "find",
        "index": 0,
        "args": {"port": "Ostby", "days": [1, 2]},
        "response": {"boat": ["Gull"]},
    },
    {"name": "book", "index": 0, "args": {}},
]
ANNOTATIONS = [
    *pair("api_call", "find", "request", '{"port":"Ostby"}', 0),
    *pair("api_response", "find", "response", '{"boats": [{"name": "Gull"}]}', 0),
    *pair("api_call", "book", "request", "{oops", 1),
]


def conversation(key: str, calls: list[Any]) -> Any:
    question = {"index": 0, "speaker": "user", "text": "A boat.", "segments": [], key: calls}
    reply = {"index": 1, "speaker": "assistant", "text": "The Gull.", "segments": []}
    return {
        "conversation_id": "dlg-1",
        "vertical": "Boats",
        "scenario": "s",
        "instructions": "i",
        "utterances": [question, reply],
    }


def read(value: Any) -> tuple[Dialogue, bytes]:
    data = json.dumps([value], indent=2).encode()
    (dialogue,) = FORMAT.read(data, FILE, "file")
    return dialogue, data


@pytest.mark.parametrize(("key", "calls"), [("apis", APIS), ("annotations", ANNOTATIONS)])
def test_calls_come_back_byte_for_byte(key: str, calls: list[Any]) -> None:
    dialogue, data = read(conversation(key, calls))
    assert FORMAT.render([dialogue]) == data
    assert dialogue.services == ("Boats",)


def test_calls_of_taskmaster_3() -> None:
    dialogue, _ = read(conversation("apis", APIS))
    question, find, result, book, reply = dialogue.events
    assert isinstance(question, Utterance)
    assert isinstance(find, Query)
    assert (find.api, find.extra["index"]) == ("find", 0)
    assert find.constraints == (
        Constraint("port", values=("Ostby",)),
        Constraint("days", None, (), "[1, 2]"),
    )
    assert isinstance(result, Result)
    assert (result.query, result.items) == (find.id, ({"boat": ["Gull"]},))
    assert isinstance(book, Query)
    assert isinstance(reply, Utterance)


def test_calls_of_taskmaster_4() -> None:
    dialogue, _ = read(conversation("annotations", ANNOTATIONS))
    _, find, result, book, _ = dialogue.events
    assert isinstance(find, Query)
    assert find.constraints == (Constraint("port", values=("Ostby",)),)
    assert isinstance(result, Result)
    assert result.items == ({"boats": [{"name": "Gull"}]},)
    assert isinstance(book, Query)
    assert book.constraints == (Constraint("request", None, (), "{oops"),)


def test_a_changed_argument_is_written() -> None:
    dialogue, _ = read(conversation("annotations", ANNOTATIONS))
    question, find, *rest = dialogue.events
    assert isinstance(find, Query)
    other = replace(find, constraints=(Constraint("port", values=("Nord",)),))
    records = json.loads(FORMAT.render([replace(dialogue, events=(question, other, *rest))]))
    assert records[0]["utterances"][0]["annotations"][1]["value"] == '{"port": "Nord"}'


def test_arguments_as_lists_of_names_and_values() -> None:
    calls = [{"name": "find", "args": [{"arg_name": "port", "arg_value": "Ostby"}], "response": []}]
    dialogue, data = read(conversation("apis", calls))
    find = dialogue.events[1]
    assert isinstance(find, Query)
    assert find.constraints == (Constraint("port", values=("Ostby",)),)
    assert FORMAT.render([dialogue]) == data


def test_odd_offsets_are_kept() -> None:
    value = conversation("apis", [])
    segment = {"start_index": "2", "end_index": "far", "text": "boat", "annotations": []}
    value["utterances"][0]["segments"] = [segment]
    dialogue, data = read(value)
    assert FORMAT.render([dialogue]) == data


@pytest.mark.corpus
def test_the_real_calls(corpora: Path) -> None:
    file = corpora / "others" / "taskmaster-later" / "TM-4-2024" / "data" / "data_07.json"
    names = [
        note["name"]
        for each in json.loads(file.read_bytes())
        for utterance in each["utterances"]
        for note in utterance["annotations"]
    ]
    corpus = formats.load(file)
    dialogues = list(corpus.dialogues())
    queries = [event for each in dialogues for event in each.events if isinstance(event, Query)]
    assert len(queries) == names.count("api_call")
    assert FORMAT.render_file(dialogues) == file.read_bytes()
