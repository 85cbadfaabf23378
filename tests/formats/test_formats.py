"""Opening corpora: which format it is, what is not there, what is none."""

from __future__ import annotations

import shutil
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
    with pytest.warns(LeftOutWarning, match="is read as babi; it also holds sgd"):
        assert formats.load(tmp_path).format == "babi"
    assert formats.load(tmp_path, "sgd").format == "sgd"


def test_locate(tmp_path: Path) -> None:
    assert formats.locate(DATA, "star") == STAR
    assert formats.locate(STAR, "star") == STAR
    with refuses(MissingDataError, "no-file", "--corpus"):
        formats.locate(tmp_path / "nowhere", "star")
