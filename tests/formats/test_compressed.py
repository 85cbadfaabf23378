"""Every format is read compressed, with what stands beside its dialogues; pipes are no files."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.star.importing import to_schema
from dialoom.formats.star.tasks import write_tasks
from dialoom.schema.source import StarApi, StarParameter, StarSource
from dialoom.schema.task import TaskSchema
from tests.formats.golden import OURS, READ, READ_ONLY, golden
from tests.make import refuses


@pytest.mark.parametrize("name", [n for n in READ + READ_ONLY if n not in OURS])
def test_a_folder_of_compressed_files(name: str, tmp_path: Path) -> None:
    corpus = golden(name, tmp_path)
    plain = formats.load(corpus)
    dialogues, schemas = list(plain.dialogues()), plain.schemas
    for file in [file for file in corpus.rglob("*") if file.is_file()]:
        file.with_name(file.name + ".gz").write_bytes(gzip.compress(file.read_bytes()))
        file.unlink()
    compressed = formats.load(corpus)
    assert compressed.format == name
    assert list(compressed.dialogues()) == dialogues
    assert compressed.schemas == schemas


def _everything(corpus: Corpus) -> tuple[list[Dialogue], dict[str, TaskSchema]]:
    return list(corpus.dialogues()), corpus.schemas


def test_a_damaged_gzip_file_says_so(tmp_path: Path) -> None:
    file = tmp_path / "dialogues_001.json.gz"
    file.write_bytes(b"[]")
    with refuses(FormatError, "damaged"):
        formats.load(file)


@pytest.mark.parametrize(
    ("name", "file"),
    [("star", "dialogues/0.json"), ("sgd", "dev/schema.json"), ("taskmaster1", "ontology.json")],
)
def test_a_pipe_among_the_files_is_not_waited_for(name: str, file: str, tmp_path: Path) -> None:
    corpus = golden(name, tmp_path)
    (corpus / file).unlink(missing_ok=True)
    os.mkfifo(corpus / file)
    with refuses(MissingDataError, "not-a-file"):
        _everything(formats.load(corpus, name))
    for each in formats.FORMATS:
        formats.get(each).detect(corpus)  # comes to an end


def test_star_writes_no_task_outside_its_folder(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    target.mkdir(parents=True)
    columns = (StarParameter(name="Day", type="Categorical"),)
    tasks = {
        name: to_schema(
            name,
            None,
            {"hello": "Hi!"},
            StarSource(
                apis=(StarApi(name=name, table=columns, db=name),),
                files={"../../evil.txt": "", "notes.txt": "some"},
            ),
        )
        for name in ("../../../evil", "/evil", "nul\0", "x" * 300, "good")
    }
    write_tasks(tasks, target)
    files = {file.relative_to(tmp_path).as_posix() for file in tmp_path.rglob("*.*")}
    assert files == {
        "a/b/tasks/good/good.json",
        "a/b/tasks/good/notes.txt",
        "a/b/apis/apis/good.json",
        "a/b/apis/dbs/good.json",
    }


def test_half_a_letter_in_a_star_schema(tmp_path: Path) -> None:
    corpus = golden("star", tmp_path)
    schema = next((corpus / "tasks").glob("*/*.json"))
    schema.write_bytes(b'{"task": "\\ud800", "replies": {}, "graph": {}}')
    with refuses(FormatError, "not-json"):
        _everything(formats.load(corpus))
