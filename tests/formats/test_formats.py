"""Opening corpora: which format it is, what is not there, what is none."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError, LeftOutWarning, MissingDataError, UnknownNameError
from dialoom.formats import native
from tests.formats.star_json import DATA
from tests.make import refuses

STAR = DATA / "star"


@pytest.mark.parametrize(
    "path", [STAR, STAR / "dialogues", STAR / "dialogues" / "1.json", DATA / "version6.json"]
)
def test_star_is_recognised(path: Path) -> None:
    assert formats.load(path).format == "star"
    assert formats.load(str(path)).format == "star"


def test_native_is_recognised(tmp_path: Path) -> None:
    native.FORMAT.write([Dialogue(id="1", events=())], {}, tmp_path)
    assert formats.load(tmp_path).format == "native"
    assert formats.load(tmp_path / "dialogues-00000.jsonl").format == "native"


def test_an_unknown_format_lists_the_known_ones() -> None:
    with refuses(UnknownNameError, "unknown-name", "stra"):
        formats.load(STAR, "stra")


def test_nothing_there(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere", Path("x" * 300), STAR / "dialogues" / "1.json" / "below"):
        with pytest.raises(MissingDataError):
            formats.load(path)
        with pytest.raises(MissingDataError):
            formats.detect(path)


def test_nothing_of_any_format(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nothing of interest")
    with refuses(FormatError, "unknown-format"):
        formats.load(tmp_path)
    for name in ("star", "native"):
        with pytest.raises(MissingDataError):
            formats.load(tmp_path, name)


def test_other_formats_in_a_folder_are_reported(tmp_path: Path) -> None:
    for name in ("sgd", "babi"):
        shutil.copytree(DATA / name, tmp_path / name)
    with pytest.warns(LeftOutWarning) as caught:
        assert formats.load(tmp_path).format == "babi"
    assert "sgd/dev/dialogues_001.json (sgd)" in str(caught[0].message)
    assert formats.load(tmp_path, "sgd").format == "sgd"


TALK = '{"messages": [{"role": "user", "content": "Hi."}]}\n'


def put(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("2.ndjson", TALK),
        ("3.JSONL", TALK),
        ("4.csv", "dialogue_id,speaker,text\nx,user,Hi.\n"),
        ("5.jsonl", '{"message_list": []}\n'),
        ("6.jsonl.zst", b"\x28\xb5\x2f\xfd"),
        ("old.zip", b"PK"),
        ("a/b/c/d/7.jsonl", TALK),
        ("test/held.json", (DATA / "sgd/dev/dialogues_001.json").read_bytes()),
    ],
)
def test_unread_files_next_to_read_ones_are_reported(
    name: str, text: str | bytes, tmp_path: Path
) -> None:
    put(tmp_path, {"1.jsonl": TALK, name: text})
    with pytest.warns(LeftOutWarning) as caught:
        assert [file.name for file in formats.load(tmp_path).files] == ["1.jsonl"]
    assert name in str(caught[0].message)


def test_many_unread_files_are_counted(tmp_path: Path) -> None:
    put(tmp_path, {"1.jsonl": TALK} | {f"{number}.ndjson": TALK for number in range(5)})
    for format in (None, "chat"):
        with pytest.warns(LeftOutWarning) as caught:
            formats.load(tmp_path, format)
        assert "2.ndjson (chat) and 2 others" in str(caught[0].message)


def test_companions_are_not_reported(tmp_path: Path) -> None:
    names = ("README.txt", "ontology.json", "hotel_db.json", "testListFile.json", "empty.jsonl")
    tool = '{"type": "function", "function": {"name": "f", "parameters": {}}}'
    files = {"1.jsonl": TALK, "tools.json": tool, "more/values.json": "{}"}
    put(tmp_path, files | {name: "" if name == "empty.jsonl" else "{}" for name in names})
    assert formats.load(tmp_path).format == "chat"


@pytest.mark.parametrize(
    ("files", "named"),
    [
        ({"a.json": '[{"service_name": "A", "slots": [], "intents": []}]'}, "task schemas"),
        ({"a.txt": "User: Hi.\n".encode("utf-16")}, "UTF-16"),
        ({"train.parquet": b"PAR1\x15\x04"}, "train.parquet, which is a Parquet table"),
        ({"a.txt": "User: Hi.\n".encode("utf-32")}, "UTF-32"),
        ({"a.zip": b"PK"}, "a.zip"),
        (
            {"val.json": (DATA / "sgd/dev/dialogues_001.json").read_bytes()},
            "val.json, which is sgd; give its own path; known",
        ),
        ({"a.jsonl.zst": b"\x28\xb5\x2f\xfd"}, "zstd"),
    ],
)
def test_a_folder_of_no_format_names_what_it_holds(
    files: Mapping[str, bytes], named: str, tmp_path: Path
) -> None:
    put(tmp_path, files)
    with refuses(FormatError, "unknown-format", named):
        formats.load(tmp_path)


def test_a_folder_of_no_format_names_the_fault_of_its_dialogues(tmp_path: Path) -> None:
    turns = [{"speaker": "BOT", "utterance": "Hi.", "frames": []}]
    dialogues = [{"dialogue_id": "1", "services": [], "turns": turns}]
    schema = '[{"service_name": "A", "slots": [], "intents": []}]'
    put(tmp_path, {"a.json": schema, "dialogues_001.json": json.dumps(dialogues)})
    with refuses(FormatError, "unknown-format", "dialogues_001.json", "BOT"):
        formats.load(tmp_path)


def test_locate(tmp_path: Path) -> None:
    assert formats.locate(DATA, "star") == STAR
    assert formats.locate(STAR, "star") == STAR
    with refuses(MissingDataError, "no-file", "--corpus"):
        formats.locate(tmp_path / "nowhere", "star")
