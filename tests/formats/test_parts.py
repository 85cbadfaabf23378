"""Folders of parts, as `dialoom split` writes them, in every format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from dialoom import formats
from dialoom.corpus.filters import split_of
from dialoom.corpus.parts import FolderParts
from dialoom.dialogue import Dialogue, Origin, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.quality.card import card
from dialoom.render.progress import track
from dialoom.schema import pack

HELD = [
    Dialogue(id=str(n), events=(Utterance(agent="user", text=f"Hello {n}."),)) for n in range(6)
]
PARTS = {"train": HELD[:4], "test": HELD[4:]}


def parts(folder: Path, name: str) -> Path:
    """Write the parts of a corpus as `split` does."""
    for part, dialogues in PARTS.items():
        (folder / part).mkdir(parents=True)
        schemas = {"weather": pack.load("weather")}
        formats.get(name).write(dialogues, schemas, folder / part)
    if index := formats.traits(name).write_index:
        index(folder, list(PARTS))
    return folder


@pytest.mark.parametrize("name", ["native", "star", "chat", "sgd", "frames", "parquet"])
def test_a_folder_of_parts_is_a_corpus(name: str, tmp_path: Path) -> None:
    corpus = formats.load(parts(tmp_path / "p", name))
    assert corpus.format == name
    assert {each.id: split_of(each) for each in corpus} == {
        each.id: part for part, dialogues in PARTS.items() for each in dialogues
    }
    assert len(list(corpus.filter(split="test"))) == 2
    assert formats.detect(tmp_path / "p").name == name


@pytest.mark.parametrize("name", ["native", "star", "parquet"])
def test_the_schemas_of_parts_are_those_of_the_corpus(name: str, tmp_path: Path) -> None:
    assert list(formats.load(parts(tmp_path / "p", name)).schemas) == ["weather"]


def test_folders_of_different_formats_are_no_parts(tmp_path: Path) -> None:
    for name in ("native", "star"):
        (tmp_path / name).mkdir()
        formats.get(name).write(HELD, {}, tmp_path / name)
    with pytest.raises(FormatError):
        formats.load(tmp_path)


def test_a_dialogue_of_a_corpus_with_parts_is_in_its_new_part(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    old = Dialogue(id="1", events=(), origin=Origin("train/dialogues_007.json", 3))
    formats.get("native").write([old], {}, tmp_path / "dev")
    (dialogue,) = formats.load(tmp_path)
    assert dialogue.origin == Origin("dev/dialogues_007.json", 3)
    assert isinstance(formats.load(tmp_path), FolderParts)


def test_parquet_of_parts_keeps_parts_and_schemas_when_it_is_converted(tmp_path: Path) -> None:
    corpus = formats.load(parts(tmp_path / "p", "parquet"))
    (tmp_path / "q").mkdir()
    assert not convert(corpus.dialogues, corpus.schemas, formats.get("parquet"), tmp_path / "q")
    again = formats.load(tmp_path / "q")
    assert list(again.schemas) == ["weather"]
    assert sorted(each.name for each in (tmp_path / "q").iterdir() if each.is_dir()) == [
        "test",
        "train",
    ]


def head_of(text: str) -> dict[str, Any]:
    head: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return head


def test_the_readme_of_parquet_names_the_parts_as_splits(tmp_path: Path) -> None:
    folder = parts(tmp_path / "p", "parquet")
    configs = {c["config_name"]: c for c in head_of((folder / "README.md").read_text())["configs"]}
    assert set(configs) == {"dialogues", "turns", "schemas"}
    places = {each["split"]: each["path"] for each in configs["turns"]["data_files"]}
    assert places == {part: f"{part}/turns.parquet" for part in PARTS}
    assert (folder / configs["schemas"]["data_files"]).is_file()


def test_a_card_keeps_the_configurations_of_a_readme(tmp_path: Path) -> None:
    folder = parts(tmp_path / "p", "parquet")
    before = head_of((folder / "README.md").read_text())["configs"]
    text = card(formats.load(folder), lambda each, what: track(each, what), name="mine")
    head = head_of(text)
    assert head["configs"] == before
    assert head["pretty_name"] == "mine"
    assert text.count("configs:") == 1


def test_a_schema_above_the_parts_is_theirs(tmp_path: Path) -> None:
    service = {"service_name": "Stay_1", "description": "", "slots": [], "intents": []}
    (tmp_path / "schema.json").write_text(json.dumps([service]))
    turn = {"speaker": "USER", "utterance": "Hi.", "frames": []}
    (tmp_path / "dev").mkdir()
    entries = [{"dialogue_id": "1", "services": ["Stay_1"], "turns": [turn]}]
    (tmp_path / "dev" / "dialogues_001.json").write_text(json.dumps(entries))
    assert list(formats.load(tmp_path / "dev").schemas) == ["Stay_1"]
    assert list(formats.load(tmp_path).schemas) == ["Stay_1"]
