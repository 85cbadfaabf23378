"""Formats whose files hold many dialogues: files, names, order and compression, on a toy format."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue, Origin
from dialoom.errors import MissingDataError
from dialoom.formats.base.multi_file import FileFormat
from tests.make import refuses


def read(data: bytes, file: Path, origin: str) -> Iterator[Dialogue]:
    for index, name in enumerate(json.loads(data)):
        yield Dialogue(id=name, events=(), origin=Origin(origin, index))


def render(dialogues: Sequence[Dialogue]) -> bytes:
    return json.dumps([dialogue.id for dialogue in dialogues]).encode()


TOY = FileFormat(
    name="toy",
    owns=re.compile(r"(.*/)?toy[\w-]*\.json"),
    sniff=lambda head: head.startswith(b"["),
    read=read,
    render=render,
    new_name="toy_{}.json".format,
    per_file=2,
    companions=lambda dialogues, name: {f"{name}.count": str(len(dialogues)).encode()},
)


def named(id: str, file: str | None = None, index: int | None = 0) -> Dialogue:
    return Dialogue(id=id, events=(), origin=Origin(file, index) if file else None)


def written(folder: Path, dialogues: list[Dialogue]) -> dict[str, list[str]]:
    TOY.write(dialogues, {}, folder)
    return {
        file.relative_to(folder).as_posix(): json.loads(file.read_bytes())
        for file in sorted(folder.rglob("*.json"))
    }


def test_dialogues_that_stood_together_do_so_again(tmp_path: Path) -> None:
    dialogues = [named("1", "b/toy.json"), named("2", "b/toy.json"), named("3", "toy-a.json")]
    assert written(tmp_path, dialogues) == {"b/toy.json": ["1", "2"], "toy-a.json": ["3"]}
    assert (tmp_path / "b" / "toy.json.count").read_bytes() == b"2"


def test_dialogues_from_elsewhere_get_files_of_their_own(tmp_path: Path) -> None:
    dialogues = [
        named("1"),
        named("2", "toy_1.json", None),
        named("3", "other.json"),
        named("4", "toy_2.json"),
        named("5", "../toy.json"),
        named("6", "toy_2.json"),
    ]
    assert written(tmp_path, dialogues) == {
        "toy_1.json": ["1", "2"],
        "toy_2.json": ["3"],
        "toy_2_2.json": ["4"],
        "toy_3.json": ["5"],
        "toy_2_3.json": ["6"],
    }


def test_compressed_files_are_read_and_written_plain(tmp_path: Path) -> None:
    (tmp_path / "toy.json.gz").write_bytes(gzip.compress(b'["1"]'))
    corpus = Corpus(tmp_path, TOY)
    assert TOY.detect(tmp_path)
    assert list(corpus.dialogues()) == [named("1", "toy.json")]


def test_detection_looks_at_the_first_file_only(tmp_path: Path) -> None:
    assert not TOY.detect(tmp_path)
    (tmp_path / "toy.json").write_text("{}")
    assert not TOY.detect(tmp_path)
    (tmp_path / "toy.json.gz").write_text("no gzip")
    (tmp_path / "toy.json").unlink()
    assert not TOY.detect(tmp_path)


def test_nothing_of_the_format(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-files", "toy"):
        TOY.files(tmp_path)


def test_lines_of_another_format_become_a_list_under_the_name_of_one(tmp_path: Path) -> None:
    lists = replace(TOY, owns=re.compile(r".*\.jsonl?"), forms=("list",))
    several = [named("1", "toy-a.jsonl"), named("2", "toy-a.jsonl", 1), named("3", "toy-b.json")]
    lists.write(several, {}, tmp_path)
    texts = {file.name: json.loads(file.read_bytes()) for file in tmp_path.glob("*.json")}
    assert texts == {"toy-a.json": ["1", "2"], "toy-b.json": ["3"]}
