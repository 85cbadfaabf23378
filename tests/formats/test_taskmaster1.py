"""Taskmaster-1: whatever file is read is written again, and only what was changed changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Span, Utterance, decode, encode
from dialoom.errors import FormatError, SchemaError
from dialoom.formats import taskmaster1
from dialoom.formats.base.conversion import convert
from dialoom.formats.taskmaster1 import dialogues as conversations_json
from dialoom.formats.taskmaster1 import ontology
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from tests.formats.laid_out import (
    FILE,
    Json,
    check_told_or_kept,
    objects,
    read,
    spell,
    there_and_back,
)
from tests.formats.star_json import DATA
from tests.make import refuses
from tests.strategies import dialogues, names, sampled, texts, values, whole

FORMAT = formats.get("taskmaster1")
GOLDEN = DATA / "taskmaster1"


def segments(start: str, end: str) -> st.SearchStrategy[Json]:
    annotation = objects({"name": names})
    return objects(
        {start: whole, end: st.integers(0, 60)},
        {"text": texts, "annotations": st.lists(annotation, max_size=3)},
    )


def conversations(number: str, instruction: str, start: str, end: str) -> st.SearchStrategy[Json]:
    utterance = objects(
        {
            "speaker": st.sampled_from(["USER", "ASSISTANT", "user", "system"]) | names,
            "text": texts,
        },
        {
            "index": st.integers(0, 3) | st.floats(0, 3) | texts | st.none(),
            "segments": st.lists(segments(start, end), max_size=3),
        },
    )
    return objects(
        {number: names, "utterances": st.lists(utterance, max_size=3)}, {instruction: texts}
    )


snake = conversations("conversation_id", "instruction_id", "start_index", "end_index")
camel = conversations("conversationId", "instructionId", "startIndex", "endIndex")
mixed = conversations("conversationId", "instructionId", "start_index", "end_index")
files = st.lists(snake | camel | mixed, max_size=3) | snake


@sampled
@given(files)
def test_any_file_comes_back_value_for_value(file: Any) -> None:
    assert spell(json.loads(there_and_back(FORMAT, json.dumps(file).encode()))) == spell(file)


def _spelled(file: Any, layout: str) -> bytes:
    if layout == "entry":
        return json.dumps([file], indent=2).encode()[4:-2] + b"\n"
    indent = {"four": 4, "plain": 2, "line": None, "beyond": 2}[layout]
    text = json.dumps(file, indent=indent, ensure_ascii=layout != "beyond")
    return text.encode() + (b"\n" if layout in ("four", "line") else b"")


@pytest.mark.parametrize("layout", ["plain", "beyond", "four", "line", "entry"])
@pytest.mark.parametrize("name", ["self-dialogs.json", "woz-dialogs.json"])
def test_regular_layouts_come_back_byte_for_byte(name: str, layout: str) -> None:
    file = json.loads((GOLDEN / name).read_bytes())
    file[0]["utterances"][0]["text"] += " Ærø \U0001f6f6"
    for value in (file[0],) if layout == "entry" else (file, file[0], [*file, *file]):
        data = _spelled(value, layout)
        assert there_and_back(FORMAT, data) == data


@pytest.mark.parametrize("name", ["self-dialogs.json", "woz-dialogs.json", "sample.json"])
def test_golden_files_come_back_byte_for_byte(name: str) -> None:
    data = (GOLDEN / name).read_bytes()
    assert there_and_back(FORMAT, data) == data


def test_a_sample_is_read_only_without_the_whole(tmp_path: Path) -> None:
    names = [file.name for file in formats.load(GOLDEN).files]
    assert names == ["self-dialogs.json", "woz-dialogs.json"]
    (tmp_path / "sample.json").write_bytes((GOLDEN / "sample.json").read_bytes())
    (dialogue,) = formats.load(tmp_path).dialogues()
    assert dialogue.id == "dlg-0000000c"


def test_both_spellings_mean_the_same() -> None:
    (published,) = read(FORMAT, (GOLDEN / "self-dialogs.json").read_bytes())
    (readme,) = read(FORMAT, (GOLDEN / "woz-dialogs.json").read_bytes())
    assert published.scenario == readme.scenario
    first = [event.layers for event in published.events if isinstance(event, Utterance)]
    second = [event.layers for event in readme.events if isinstance(event, Utterance)]
    assert first[: len(second)] == second
    assert published.extra == {}
    assert readme.extra["layout"]["keys"] == "camel"


def test_overlapping_and_doubly_labelled_segments_are_not_merged() -> None:
    spans = spans_of(golden(), 2)
    assert spans[0].labels == ("boat_hire.num.people", "boat_hire.num.people")
    assert spans[1].start < spans[2].start < spans[2].end < spans[1].end
    assert (spans[2].start, spans[2].end) == (spans[3].start, spans[3].end)


def test_absent_and_empty_segments_differ() -> None:
    empty, absent = golden().events[-2:]
    assert isinstance(empty, Utterance)
    assert isinstance(absent, Utterance)
    assert empty.layers[0].parts[0].spans == ()
    assert absent.layers == ()


@pytest.mark.parametrize("word", ["river", "paddles", "boat_hire.name.boat.accept"])
def test_one_changed_word_changes_that_word_only(word: str) -> None:
    data = (GOLDEN / "self-dialogs.json").read_bytes()
    other = "x" * len(word)  # offsets stay right: a segment's words are said once
    line = encode(golden()).replace(word.encode(), other.encode())
    assert FORMAT.render_file([decode(line)]) == data.replace(word.encode(), other.encode())


def test_a_residue_does_not_override_the_model() -> None:
    raw = json.loads((GOLDEN / "self-dialogs.json").read_bytes())
    raw[0]["utterances"][0]["speaker"] = "user"
    del raw[0]["instruction_id"]
    (dialogue,) = read(FORMAT, json.dumps(raw).encode())
    first = dialogue.events[0]
    assert isinstance(first, Utterance)
    assert first.agent == USER
    moved = replace(dialogue, events=(replace(first, agent=SYSTEM), *dialogue.events[1:]))
    records = json.loads(FORMAT.render_file([moved]))
    assert records[0]["utterances"][0]["speaker"] == "ASSISTANT"
    assert "instruction_id" not in records[0]


@sampled
@given(st.lists(dialogues(), min_size=1, max_size=2))
def test_dialogues_from_elsewhere_are_valid_conversations(given_dialogues: list[Dialogue]) -> None:
    for dialogue in given_dialogues:
        raw = conversations_json.to_json(dialogue)
        assert {"conversation_id", "utterances"} <= raw.keys() or "conversationId" in raw
    back = read(FORMAT, FORMAT.render_file(given_dialogues))
    for before, after in zip(given_dialogues, back, strict=True):
        lines = [(e.agent, e.text) for e in before.events if isinstance(e, Utterance)]
        assert [e.text for e in after.events if isinstance(e, Utterance)] == [t for _, t in lines]
        assert before.id == after.id


@sampled
@given(values | st.lists(values, max_size=1) | st.just({}), st.data())
def test_values_of_the_wrong_type_are_reported(value: Any, data: st.DataObject) -> None:
    raw = json.loads((GOLDEN / "self-dialogs.json").read_bytes())
    utterance = data.draw(st.sampled_from(raw[0]["utterances"][2:6]))
    holder = data.draw(st.sampled_from([raw[0], utterance, utterance["segments"][0]]))
    holder[data.draw(st.sampled_from(sorted(holder)))] = value
    check_told_or_kept(FORMAT, raw)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[1]", ("wrong-type", "conversation")),
        ('[{"conversation_id": "d"}]', ("wrong-type", "utterances")),
        ('[{"conversation_id": "d", "utterances": [{"speaker": 3}]}]', ("wrong-type", "speaker")),
        ('"conversation_id"', ("wrong-type", "list of dialogues")),
        ("[{", ("not-json",)),
        ("", ("empty",)),
    ],
)
def test_what_is_wrong_is_reported(text: str, what: tuple[str, ...]) -> None:
    with refuses(FormatError, *what):
        read(FORMAT, text.encode())


# --- ontology ------------------------------------------------------------------------------------


def test_a_vertical_is_a_task_with_a_service() -> None:
    task = ontology.read(GOLDEN)["boat_hire"]
    (intent,) = contract(task).intents
    assert (intent.name, intent.required) == ("hire", ("num.people", "time.start"))
    assert list(intent.optional) == ["name.boat", "type.equipment"]
    assert [slot.name for slot in contract(task).slots][:2] == ["num.people", "time.start"]


def test_the_ontology_comes_back(tmp_path: Path) -> None:
    ontology.write(ontology.read(GOLDEN), tmp_path)
    assert (tmp_path / "ontology.json").read_bytes() == (GOLDEN / "ontology.json").read_bytes()


arguments = st.lists(names, max_size=3, unique=True)
verticals = st.dictionaries(
    names,
    objects({"id": names}, {"vertical": names, "required": arguments, "optional": arguments}),
    max_size=3,
)


@sampled
@given(verticals)
def test_any_ontology_comes_back(raw: Json) -> None:
    try:
        tasks = ontology.tasks(raw, FILE)
    except SchemaError:
        assert len({vertical["id"] for vertical in raw.values()}) < len(raw)
        return
    except FormatError as error:
        assert "required and optional" in str(error)
        return
    assert spell(ontology.to_json(tasks)) == spell(raw)
    assert json.loads(ontology.render(raw) if raw else b"{}") == raw


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", ("bad-task", "vertical")),
        ('{"a": 1}', ("wrong-type", "'a'")),
        ('{"a": {"id": "x", "required": "all"}}', ("wrong-type", "'required'")),
        ('{"a": {"id": "x", "required": ["b", "b"]}}', ("wrong-type", "'b'")),
        ('{"a": {"id": "x"}, "b": {"id": "x"}}', ("twice", "x")),
        ("{", ("not-json",)),
    ],
)
def test_a_wrong_ontology_is_reported(text: str, what: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "ontology.json").write_text(text)
    with refuses(SchemaError, *what):
        ontology.read(tmp_path)


def test_tasks_without_a_service_are_left_out() -> None:
    assert ontology.to_json({"tea": TaskSchema(id="tea")}) == {}


# --- splits and instructions ---------------------------------------------------------------------


def test_split_lists_end_their_lines_in_a_comma(tmp_path: Path) -> None:
    folder = tmp_path / taskmaster1.SPLITS
    folder.mkdir()
    (folder / "train.csv").write_text("dlg-1,\ndlg-2,\n\n")
    (folder / "dev.csv").write_text("dlg-3")
    assert taskmaster1.splits(tmp_path) == {"dev": ("dlg-3",), "train": ("dlg-1", "dlg-2")}
    assert taskmaster1.splits(tmp_path / "absent.json") == {
        "dev": ("dlg-3",),
        "train": ("dlg-1", "dlg-2"),
    }
    (folder / "dev.csv").write_bytes(b"\xff")
    with refuses(FormatError, "not-utf-8"):
        taskmaster1.splits(tmp_path)


def test_instructions_are_found_however_their_file_is_spelled(tmp_path: Path) -> None:
    folder = tmp_path / taskmaster1.INSTRUCTIONS
    folder.mkdir()
    for name in (
        "user_instructions_self-dialogs_tea-ordering 1.txt",
        "agent-instrucitons_2-person_Tea_ordering-1.txt",
        "user_Instructions_2-person_tea-ordering-1.txt",
        "notes.txt",
    ):
        (folder / name).write_text(f"\ufeff{name}", encoding="utf-8")
    (texts,) = taskmaster1.instructions(tmp_path).values()
    assert [(each.agent, each.collection) for each in texts] == [
        (SYSTEM, "2-person"),
        (USER, "2-person"),
        (USER, "self-dialogs"),
    ]
    assert all(each.text == each.file for each in texts)


# --- the real files ------------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_published_files_come_back(corpora: Path, tmp_path: Path) -> None:
    corpus = formats.load(corpora / "taskmaster1")
    assert corpus.format == "taskmaster1"
    assert not convert(corpus.dialogues, corpus.schemas, FORMAT, tmp_path)
    for file in corpus.files:
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()
    ontology, published = (
        json.loads((folder / "ontology.json").read_bytes()) for folder in (tmp_path, corpus.path)
    )
    assert spell(ontology) == spell(published)
    assert list(ontology) == list(published)


@pytest.mark.corpus
def test_the_published_lists_and_instructions(corpora: Path) -> None:
    root = corpora / "taskmaster1"
    counts = {name: len(ids) for name, ids in taskmaster1.splits(root).items()}
    assert counts == {"train": 6168, "dev": 770, "test": 770}
    texts = taskmaster1.instructions(root)
    files = list((root / taskmaster1.INSTRUCTIONS).glob("*.txt"))
    assert sum(map(len, texts.values())) == len(files)
    for dialogue in formats.load(root).dialogues():
        assert dialogue.scenario is not None
        assert texts[taskmaster1.plain_id(dialogue.scenario.instruction_id or "")]


def golden() -> Dialogue:
    (dialogue,) = read(FORMAT, (GOLDEN / "self-dialogs.json").read_bytes())
    return dialogue


def spans_of(dialogue: Dialogue, index: int) -> tuple[Span, ...]:
    event = dialogue.events[index]
    assert isinstance(event, Utterance)
    return event.layers[0].parts[0].spans or ()
