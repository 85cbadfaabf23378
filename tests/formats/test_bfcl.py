"""BFCL: the calls of the answers follow the turns of the questions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import USER, Query, Utterance
from dialoom.errors import FormatError, UsageError
from dialoom.formats.bfcl.answers import call_of
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


@pytest.mark.parametrize("call", ["ls(", "a + b", "f(x)", 7, {"a": 1, "b": 2}])
def test_a_call_that_is_not_read_keeps_its_text(call: object) -> None:
    assert call_of(call, Path(), "1")["function"] == {"name": str(call)}


def test_the_first_of_several_values_is_read() -> None:
    function = call_of({"add": {"a": [1, 1.0], "b": ["", 2]}}, Path(), "1")["function"]
    assert function == {"name": "add", "arguments": {"a": 1}}


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
    asked = [json.loads(line) for line in (root / name).read_text().splitlines()]
    answers = (root / "possible_answer" / name).read_text().splitlines()
    calls = sum(len(turn) for line in answers for turn in json.loads(line)["ground_truth"])
    read = list(formats.load(root).dialogues())
    assert len(read) == len(asked)
    events = [event for each in read for event in each.events]
    assert sum(isinstance(e, Utterance) for e in events) == sum(len(q["question"]) for q in asked)
    queries = [event for event in events if isinstance(event, Query)]
    assert len(queries) == calls
    assert all(each.api.isidentifier() for each in queries)
