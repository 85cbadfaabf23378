"""The catalogue says what a whole copy holds, and a copy is counted against it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.errors import UnknownNameError
from dialoom.quality.catalogue import (
    PartCount,
    count,
    entries,
    entry,
    identify,
    published_format,
    recognised,
)
from tests.formats.star_json import DATA
from tests.found import some
from tests.make import refuses
from tests.quality.published_samples import star_copy

STAR = DATA / "star"


def track(dialogues: Iterator[Dialogue], what: str) -> Iterable[Dialogue]:
    """Show nothing."""
    return dialogues


def test_every_entry_is_usable() -> None:
    for name, each in some(entries().items()):
        assert each.home.startswith("https://"), name
        assert set(each.formats) <= set(formats.FORMATS), name
        assert each.citation.startswith("@"), name
        assert each.parts, name
        for part in each.parts.values():
            re.compile(part.match)


def test_an_unknown_corpus_lists_the_known_ones() -> None:
    with refuses(UnknownNameError, "unknown-name", "star"):
        entry("stra")


@pytest.mark.parametrize(
    ("found", "expected", "verdict", "words"),
    [
        ({"files": 2}, {"files": 2}, "complete", "a: complete"),
        ({"files": 1}, {"files": 2}, "partial", "a: partial: 1 of 2 files"),
        ({"files": 3}, {"files": 2}, "larger", "a: larger: 3 of 2 files"),
        ({}, {"files": 2}, "absent", "a: absent: 0 of 2 files"),
        ({"files": 3}, {}, "unknown", "a: 3 files; how many there should be is not known"),
    ],
)
def test_a_part_is_compared(
    found: dict[str, int], expected: dict[str, int], verdict: str, words: str
) -> None:
    check = PartCount("a", found, expected)
    assert (check.verdict, str(check)) == (verdict, words)


def test_a_copy_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked = count(formats.load(star_copy(tmp_path, monkeypatch)), track)
    assert (checked.corpus, checked.whole) == ("star", False)
    assert checked.totals["files"] == checked.totals["dialogues"] == 3
    assert checked.checks[0].verdict == "partial"
    assert checked.checks[0].expected["dialogues"] == 6652


def test_other_tasks_in_the_same_layout_are_no_copy() -> None:
    checked = count(formats.load(STAR), track)
    assert (checked.corpus, checked.whole) == (None, None)
    assert checked.totals["dialogues"] == 3


def test_a_corpus_of_ones_own_is_counted_too(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    formats.get("native").write([Dialogue(id="1", events=())] * 2, {}, own)
    checked = count(formats.load(own), track)
    assert (checked.corpus, checked.whole) == (None, None)
    assert (checked.totals["files"], checked.totals["dialogues"]) == (1, 2)


def sgd_like(folder: Path, number: int, service: str = "Media_1") -> Path:
    turns = [{"speaker": "USER", "utterance": "Hi", "frames": []}]
    dialogues = [
        {"dialogue_id": f"1_{n:05}", "services": [service], "turns": turns} for n in range(number)
    ]
    (folder / "test").mkdir(parents=True)
    (folder / "test" / "dialogues_001.json").write_text(json.dumps(dialogues))
    return folder


def test_a_whole_part_is_recognised_by_its_numbers_and_ids(tmp_path: Path) -> None:
    assert identify(formats.load(sgd_like(tmp_path / "whole", 4201))) == "sgd"
    assert identify(formats.load(sgd_like(tmp_path / "part", 4200))) is None


def test_dialogues_are_recognised_in_any_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    star = formats.load(star_copy(tmp_path, monkeypatch))
    star.save(tmp_path / "native", formats.get("native"))
    assert recognised(star) == recognised(formats.load(tmp_path / "native")) == "star"
    assert published_format(star) == "star"
    assert published_format(formats.load(sgd_like(tmp_path / "other", 3))) == ""


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["sgd", "sgd/dev", "star", "taskmaster1", "babi", "frames/text"])
def test_the_real_corpora_are_recognised(corpora: Path, name: str) -> None:
    match = identify(formats.load(corpora / name))
    assert match == name.partition("/")[0]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "verdicts"),
    [
        ("sgd/dev", {"dev": "partial"}),
        ("dstc6", {"tst1": "complete", "tst3": "complete", "tst2": "absent"}),
        ("babi", {"trn": "complete", "dev": "complete"}),
    ],
)
def test_real_copies_are_compared(corpora: Path, name: str, verdicts: dict[str, str]) -> None:
    checked = count(formats.load(corpora / name), track)
    assert verdicts.items() <= {check.part: check.verdict for check in checked.checks}.items()
