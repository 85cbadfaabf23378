"""Which files a corpus has, and in which order."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

import pytest

from dialoom.corpus.listing import (
    UniqueNames,
    listed,
    natural,
    numbered,
    plain,
    safe,
    walking_once,
)

OWNS = re.compile(r"(.*/)?d_\d+\.json")


def test_files_come_in_natural_order_without_hidden_ones(tmp_path: Path) -> None:
    names = ["d_10.json", "d_2.json.gz", "b/d_1.json", "a/c/d_3.json", ".d_4.json", ".b/d_5.json"]
    for name in [*names, "d_x.json", "d_6.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    paths = [file.relative_to(tmp_path).as_posix() for file in listed(tmp_path, OWNS)]
    assert paths == ["a/c/d_3.json", "b/d_1.json", "d_2.json.gz", "d_10.json"]


def test_a_file_goes_before_its_copy_whatever_sorts_between(tmp_path: Path) -> None:
    for name in ("d_01.json", "d_1.json", "d_01.json.gz"):
        (tmp_path / name).write_text("")
    assert [file.name for file in listed(tmp_path, OWNS)] == ["d_01.json", "d_1.json"]
    assert [file.name for file in listed(tmp_path, OWNS, 1)] == ["d_01.json"]


def test_inside_a_block_each_folder_is_listed_once(tmp_path: Path) -> None:
    (tmp_path / "d_1.json").write_text("")
    with walking_once():
        before = listed(tmp_path, OWNS)
        (tmp_path / "d_2.json").write_text("")
        with walking_once():
            assert listed(tmp_path, OWNS) == before
        assert listed(tmp_path, OWNS) == before
    assert len(listed(tmp_path, OWNS)) == 2


def test_a_file_is_itself(tmp_path: Path) -> None:
    file = tmp_path / "any.name"
    file.write_text("")
    assert listed(file, OWNS) == [file]
    assert listed(tmp_path, OWNS) == []


def test_names() -> None:
    assert sorted(["a10", "a9", "a", "b1"], key=natural) == ["a", "a9", "a10", "b1"]
    assert plain("a.json.gz") == "a.json"
    assert list(islice(numbered("train/a.json"), 3)) == [
        "train/a.json",
        "train/a_2.json",
        "train/a_3.json",
    ]


def test_a_name_is_given_once() -> None:
    names = UniqueNames(key=str.lower)
    aliases = [names.first(numbered(name)) for name in ("a.txt", "A.txt", "b.txt", "a.txt")]
    assert aliases == ["a.txt", "A_2.txt", "b.txt", "a_3.txt"]


@pytest.mark.parametrize(
    "name", ["", "/a", "../a", "a/../b", "a//b", ".a", "a/.b", "a\\b", "a\0", "x" * 200, "a/" * 9]
)
def test_unsafe_names(name: str) -> None:
    assert not safe(name)


@pytest.mark.parametrize("name", ["a", "train/a.json", "a b/c-d_e(1).json", "é.json"])
def test_safe_names(name: str) -> None:
    assert safe(name)
