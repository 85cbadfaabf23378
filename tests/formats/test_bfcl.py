"""BFCL: the calls of the answers follow the turns of the questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import USER, Query, Utterance
from dialoom.errors import FormatError, UsageError
from dialoom.formats.bfcl import call_of, missing, tools_of
from tests.formats.golden import golden
from tests.make import refuses


def test_calls_of_the_answers_follow_each_turn(tmp_path: Path) -> None:
    first, second = formats.load(golden("bfcl", tmp_path)).dialogues()
    events: list[Any] = list(first.events)
    assert [e.agent if isinstance(e, Utterance) else e.api for e in events] == [
        USER,
        "switch",
        USER,
        "dim",
        "state",
    ]
    switch = first.events[1]
    assert isinstance(switch, Query)
    assert [(c.slot, c.values) for c in switch.constraints] == [("on", (True,))]
    assert first.services == ("Lamps",)
    assert len(second.events) == 3


def test_questions_without_answers_have_no_calls(tmp_path: Path) -> None:
    corpus = golden("bfcl", tmp_path)
    file = tmp_path / "BFCL.json"
    file.write_bytes((corpus / "BFCL_v4_multi_turn_base.json").read_bytes())
    assert not any(isinstance(e, Query) for d in formats.load(file).dialogues() for e in d.events)


@pytest.mark.parametrize("call", ["ls(", "f(x)", 7, {"a": 1, "b": 2}])
def test_a_call_that_is_not_read_keeps_its_text(call: object) -> None:
    assert (call_of(call, Path(), "1") or {})["function"] == {"name": str(call)}


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ({"a": [1, 1.0], "b": ["", 2]}, {"a": 1}),
        ({"who": [{"name": ["Ada", "A."], "age": [""]}]}, {"who": {"name": "Ada"}}),
        (
            {"who": [[{"name": ["Ada"]}, {"name": ["Bo"]}]]},
            {"who": [{"name": "Ada"}, {"name": "Bo"}]},
        ),
        ({"size": [{"h": 1}], "all": [["", "b"]]}, {"size": {"h": 1}, "all": ["", "b"]}),
    ],
)
def test_the_first_of_several_values_is_read(given: Any, read: Any) -> None:
    function = (call_of({"add": given}, Path(), "1") or {})["function"]
    assert function == {"name": "add", "arguments": read}


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize(("answer", "apis"), [(["Ada", "a + b"], []), (["dim(by=2)"], ["dim"])])
def test_answers_in_words_give_no_queries_and_are_kept(
    answer: list[str], apis: list[str], apart: bool, tmp_path: Path
) -> None:
    entry = {"id": "a_0", "question": [[{"role": "user", "content": "Who?"}]]}
    own = {"ground_truth": answer}
    (tmp_path / "possible_answer").mkdir()
    (tmp_path / "BFCL.json").write_text(json.dumps(entry | ({} if apart else own)))
    if apart:
        (tmp_path / "possible_answer" / "BFCL.json").write_text(json.dumps({"id": "a_0"} | own))
    (dialogue,) = formats.load(tmp_path / "BFCL.json")
    assert [e.api for e in dialogue.events if isinstance(e, Query)] == apis
    assert dialogue.extra["chat"]["keys"]["ground_truth"] == answer


def test_answers_are_no_dialogues_and_questions_are_not_written(tmp_path: Path) -> None:
    corpus = golden("bfcl", tmp_path)
    with refuses(FormatError, "unknown-format", "BFCL"):
        formats.load(corpus / "possible_answer" / "BFCL_v4_multi_turn_base.json")
    with pytest.raises(UsageError):
        formats.get("bfcl").write(formats.load(corpus).dialogues(), {}, tmp_path)


@pytest.mark.corpus
def test_every_published_turn_and_call_is_read(corpora: Path) -> None:
    root = corpora / "others" / "bfcl"
    name = "BFCL_v4_multi_turn_base.json"
    cases = [json.loads(line) for line in (root / name).read_text().splitlines()]
    answers = (root / "possible_answer" / name).read_text().splitlines()
    calls = sum(len(turn) for line in answers for turn in json.loads(line)["ground_truth"])
    read = list(formats.load(root).dialogues())
    assert len(read) == len(cases)
    events = [event for each in read for event in each.events]
    assert sum(isinstance(e, Utterance) for e in events) == sum(len(q["question"]) for q in cases)
    queries = [event for event in events if isinstance(event, Query)]
    assert len(queries) == calls
    assert all(each.api.isidentifier() for each in queries)


def test_functions_of_the_classes_are_the_tools(tmp_path: Path) -> None:
    corpus = golden("bfcl", tmp_path)
    first, _ = formats.load(corpus).dialogues()
    tools = {each["function"]["name"]: each["function"] for each in first.extra["chat"]["tools"]}
    assert list(tools) == ["switch", "dim", "state"]
    assert tools["dim"]["parameters"]["type"] == "object"
    entry = json.loads((corpus / "BFCL_v4_multi_turn_base.json").read_text().splitlines()[0])
    assert {t["function"]["name"] for t in tools_of(entry, corpus)} == set(tools)
    assert len(tools_of(entry | {"excluded_function": ["dim"]}, corpus)) == 2
    assert tools_of(entry | {"involved_classes": ["Doors", 7]}, corpus) == []


def test_types_of_parameters_are_those_of_json_schema() -> None:
    types = {
        "type": {"type": "tuple", "items": {"type": "float"}},
        "any": {"type": "any", "description": "What."},
        "map": {"type": "HashMap"},
    }
    entry = {"function": {"name": "f", "parameters": {"type": "dict", "properties": types}}}
    (tool,) = tools_of(entry, Path())
    assert tool["function"]["parameters"] == {
        "type": "object",
        "properties": {
            "type": {"type": "array", "items": {"type": "number"}},
            "any": {"description": "What."},
            "map": {},
        },
    }


def test_functions_are_missing_until_their_turn() -> None:
    entry = {"missed_function": {"2": ["a"], "3": ["b"], "x": ["c"]}}
    assert [sorted(missing(entry, turn)) for turn in (1, 2, 3)] == [["a", "b"], ["b"], []]
