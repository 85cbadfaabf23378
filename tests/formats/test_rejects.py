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
    file.write_text(json.dumps({"A": good, "B": [], "C": good}))
    assert [each.id for each in formats.load(file, rejects=Rejects())] == ["A", "C"]


def test_lines_after_a_byte_order_mark_are_separated_and_counted(tmp_path: Path) -> None:
    file = put(tmp_path, "a.jsonl", LINES, ["\ufeff" + json.dumps(CHAT), "", "{", CHAT, {"a": 1}])
    rejects = Rejects()
    assert [each.id for each in formats.load(file, rejects=rejects)] == ["a-1", "a-3"]
    assert [each["index"] for each in rejects] == [1, 3]
    assert ["line 3" in each["reason"] for each in rejects] == [True, False]
    assert ["line 5" in each["reason"] for each in rejects] == [False, True]


def test_a_dialogue_without_an_id_is_named_by_its_place(tmp_path: Path) -> None:
    bad: dict[str, Any] = {"turns": [], "userSurveyRating": []}
    file = put(tmp_path, "a.json", LIST, [{"id": "1", "turns": [], "labels": {}}, bad, bad])
    rejects = Rejects()
    list(formats.load(file, "frames", rejects=rejects))
    assert ["number 1" in each["reason"] for each in rejects] == [True, False]


def test_the_rest_of_a_text_is_set_aside_as_well(tmp_path: Path) -> None:
    file = tmp_path / "dialog-babi-task1trn.txt"
    file.write_text(text := "1 hi\thello\n\n1 hi\thello\n3 hi\thello\n\n1 hi\thello\n")
    rejects = Rejects()
    done = len(list(formats.load(file, "babi", rejects=rejects)))
    (one,) = rejects
    assert (one["index"], one["text"]) == (None, text)
    assert f"rest of the file was not read, only {done} dialogues before" in one["reason"]


def test_stories_after_a_faulty_one_are_read(tmp_path: Path) -> None:
    story = "- story: {}\n  steps:\n  - user: '{}'\n    intent: x\n"
    stories = [story.format("a", "Hi"), story.format("b", "[Ada]{x}"), story.format("c", "Hi")]
    (tmp_path / "a.yml").write_text("stories:\n" + "".join(stories))
    rejects = Rejects()
    assert [each.id for each in formats.load(tmp_path, rejects=rejects)] == ["a", "c"]
    assert [(each["index"], "dialogue b" in each["reason"]) for each in rejects] == [(1, True)]
