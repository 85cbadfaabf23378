"""What holds of every format, whatever dialogues it is given.

One writing may leave out what the format has no place for. What comes back fits: it is written
as the same files again, and nothing more is lost.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import Dialogue
from dialoom.formats.base.conversion import convert
from dialoom.formats.chat.marks import OWN, own_of
from dialoom.schema import pack
from tests.formats.golden import READ, golden
from tests.strategies import dialogues, sampled


def files(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


def settles(name: str, held: list[Dialogue]) -> None:
    """Write dialogues and read them back twice: the second time gives what the first gave."""
    format = formats.get(name)
    tasks = {task.id: task for task in (pack.load("weather"),)}
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
        convert(lambda: held, tasks, format, Path(one))
        if not files(Path(one)) or not held:
            return
        corpus = Corpus(Path(one), format)
        back = list(corpus.dialogues())
        assert not convert(lambda: back, corpus.schemas, format, Path(two))
        assert files(Path(one)) == files(Path(two))


@sampled
@given(st.lists(dialogues(), max_size=3))
def test_any_dialogues_settle_once_written(held: list[Dialogue]) -> None:
    for name in READ:  # in one test: to draw dialogues takes as long as to write and read them
        try:
            settles(name, held)
        except BaseException as error:
            error.add_note(f"format {name}")
            raise


@pytest.mark.parametrize("name", READ)
@pytest.mark.parametrize("source", READ)
def test_the_golden_corpora_settle_in_every_format(source: str, name: str, tmp_path: Path) -> None:
    settles(name, list(formats.load(golden(source, tmp_path), source).dialogues()))


@pytest.mark.parametrize("name", READ)
def test_golden_files_are_recognised_and_lose_nothing(name: str, tmp_path: Path) -> None:
    corpus = formats.load(golden(name, tmp_path))
    assert corpus.format == name
    (tmp_path / "again").mkdir()
    assert not convert(corpus.dialogues, corpus.schemas, formats.get(name), tmp_path / "again")


@pytest.mark.parametrize("name", READ)
def test_a_conversion_is_recognised(name: str, tmp_path: Path) -> None:
    corpus = formats.load(golden("star", tmp_path))
    (tmp_path / "out").mkdir()
    convert(corpus.dialogues, corpus.schemas, formats.get(name), tmp_path / "out")
    assert formats.load(tmp_path / "out").format == name


@pytest.mark.parametrize("name", ["abcd", "chat", "convlab", "sdialog", "sgd", "tau", "tau2"])
@pytest.mark.parametrize("source", ["abcd", "bfcl", "sdialog", "tau", "tau2"])
def test_marks_of_one_format_are_not_written_by_another(
    source: str, name: str, tmp_path: Path
) -> None:
    dialogues = list(formats.load(golden(source, tmp_path), source).dialogues())
    marks = {
        mark for each in dialogues for part in (each, *each.events) for mark in own_of(part.extra)
    }
    assert marks
    if name != source:
        (tmp_path / "out").mkdir()
        convert(lambda: dialogues, {}, formats.get(name), tmp_path / "out")
        text = b"".join(files(tmp_path / "out").values()).decode()
        assert not [mark for mark in (*marks, OWN) if f'"{mark}":' in text]
