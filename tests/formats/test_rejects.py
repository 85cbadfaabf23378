"""Faulty dialogues that are set aside with their reasons, in every form of file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue, Utterance, encode
from dialoom.errors import FormatError
from dialoom.formats.base.tolerant import Rejects

TURN = {"frames": [], "speaker": "USER", "utterance": "Hi."}
SAID = {"index": 0, "speaker": "USER", "text": "Hi."}
CHAT = {"messages": [{"role": "user", "content": "Hi."}]}
NATIVE = json.loads(encode(Dialogue(id="1", events=(Utterance(agent="user", text="Hi."),))))


def sgd(name: str, **more: Any) -> dict[str, Any]:
    return {"dialogue_id": name, "services": [], "turns": [TURN]} | more


def taskmaster(name: str, **more: Any) -> dict[str, Any]:
    return {"conversation_id": name, "utterances": [SAID]} | more


LIST, LINES = "list", "lines"

CASES: list[tuple[str, str, list[Any]]] = [
    ("dialogues_001.json", LIST, [sgd("1"), sgd("2", turns=[{"frames": []}]), sgd("3")]),
    ("dialogues_001.jsonl", LINES, [sgd("1"), {"turns": 7, "dialogue_id": "2"}, sgd("3")]),
    (
        "a.json",
        LIST,
        [taskmaster("1"), taskmaster("2", utterances=[{"text": "x"}]), taskmaster("3")],
    ),
    ("a.jsonl", LINES, [CHAT | {"id": "1"}, {"messages": [3]}, CHAT | {"id": "3"}]),
    ("n.jsonl", LINES, [NATIVE, {"id": "2", "events": [{"type": "x"}]}, NATIVE | {"id": "3"}]),
    ("a.jsonl", LINES, [CHAT | {"id": "1"}, "{broken", CHAT | {"id": "3"}]),
]


def put(folder: Path, name: str, form: str, values: list[Any]) -> Path:
    texts = [each if isinstance(each, str) else json.dumps(each) for each in values]
    file = folder / name
    file.write_text("\n".join(texts) + "\n" if form == LINES else f"[{','.join(texts)}]")
    return file


@pytest.mark.parametrize(("name", "form", "values"), CASES)
def test_a_faulty_dialogue_is_set_aside(
    name: str, form: str, values: list[Any], tmp_path: Path
) -> None:
    file = put(tmp_path, name, form, values)
    with pytest.raises(FormatError):
        list(formats.load(file))
    rejects = Rejects()
    corpus = formats.load(file, rejects=rejects)
    assert [dialogue.id for dialogue in corpus] == ["1", "3"]
    list(corpus)  # each once, however often the corpus is read
    (one,) = rejects
    assert (one["file"], one["index"]) == (str(file), 1)
    assert one["reason"]
    assert one.get("value", one.get("text")) == values[1]


def test_the_place_of_what_is_left_is_that_in_the_file(tmp_path: Path) -> None:
    file = put(tmp_path, *CASES[0])
    places = [each.origin and each.origin.index for each in formats.load(file, rejects=Rejects())]
    assert places == [0, 2]


def test_a_damaged_file_is_set_aside_as_a_whole(tmp_path: Path) -> None:
    put(tmp_path, "dialogues_001.json", LIST, [sgd("1")])
    damaged = tmp_path / "dialogues_002.json"
    damaged.write_text('[{"dialogue_id": "2", "turns": [')
    rejects = Rejects()
    assert [each.id for each in formats.load(tmp_path, rejects=rejects)] == ["1"]
    assert [(each["file"], each["index"]) for each in rejects] == [(str(damaged), None)]


def test_a_faulty_dialogue_of_an_object_of_dialogues_is_set_aside(tmp_path: Path) -> None:
    good = {"goal": {}, "log": [{"text": "Hi", "metadata": {}}]}
    bad: dict[str, Any] = {"goal": {}, "log": [{"metadata": {}}]}
    file = tmp_path / "data.json"
    file.write_text(json.dumps({"A": good, "B": bad, "C": good}))
    rejects = Rejects()
    assert [each.id for each in formats.load(file, rejects=rejects)] == ["A", "C"]
    assert [(each["index"], each["value"]) for each in rejects] == [(1, {"B": bad})]
