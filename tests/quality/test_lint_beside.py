"""What stands beside the dialogues: facts of a knowledge base, instructions to workers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus.traits import NO_COMPANIONS
from dialoom.errors import FormatError
from dialoom.quality.lint import lint
from tests.make import refuses

ITEM = {
    "dialog_id": "d1",
    "utterances": ["the_inn r_price cheap", "the_oak r_price cheap", "hi", "hello", "thanks"],
    "candidates": [{"candidate_id": "a", "utterance": "good day"}],
}
TALK = {
    "conversation_id": "dlg-1",
    "instruction_id": "Boat Trip-2",
    "utterances": [{"index": 0, "speaker": "USER", "text": "Two of us."}],
}


@pytest.fixture
def items(tmp_path: Path) -> Path:
    folder = tmp_path / "items"
    (folder / "tst1").mkdir(parents=True)
    (folder / "tst1" / "dialog-task1API-kb1-tst.json").write_text(json.dumps([ITEM]))
    return folder


def codes(path: Path) -> list[str]:
    return [finding.code for finding in lint(formats.load(path))]


def test_facts_are_compared_with_those_of_the_file(items: Path) -> None:
    assert codes(items) == []
    (items / "extendedkb1.txt").write_text("1 the_inn R_price\tcheap\n2 the_ash R_price cheap\n")
    assert formats.traits("dstc6").companions(items).entities == frozenset({"the_inn", "the_ash"})
    assert codes(items) == ["E813"]
    assert codes(items / "tst1") == ["E813"]  # the file stands above the folder
    assert codes(items / "tst1" / "dialog-task1API-kb1-tst.json") == ["E813"]


def test_instructions_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "talks.json").write_text(json.dumps([TALK]))
    assert codes(tmp_path) == []
    folder = tmp_path / "instructions"
    folder.mkdir()
    (folder / "user_instructions_self-dialogs_boat-trip-1.txt").write_text("Hire a boat.")
    assert codes(tmp_path) == ["E503"]
    (folder / "user_instructions_self-dialogs_boat-trip 2.txt").write_text("Hire two.")
    assert codes(tmp_path) == []
    (folder / "agent_instructions_2-person_boat-trip-3.txt").write_bytes(b"\xff")
    with refuses(FormatError, "not-utf-8"):
        codes(tmp_path)


def test_other_formats_have_nothing_next_to_them(items: Path) -> None:
    star = Path(__file__).parents[1] / "formats" / "data" / "star"
    assert formats.traits("star").companions(star) == NO_COMPANIONS
