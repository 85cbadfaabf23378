"""Files with many dialogues: long ones are read in parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import FormatError
from dialoom.formats.base import multi_file
from dialoom.formats.chat import FORMAT
from dialoom.quality.roundtrip import roundtrip
from tests.make import refuses


def test_long_lines_are_read_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"messages": [{"role": "user", "content": f"Number {n}"}]} for n in range(40)]
    file = tmp_path / "a.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    whole = list(formats.load(file))
    monkeypatch.setattr(multi_file, "PIECE", 300)
    corpus = formats.load(file)
    assert list(corpus) == whole
    assert len({each.origin and each.origin.index for each in corpus}) == len(lines)
    assert len(list(FORMAT.pieces(file, tmp_path))) > 5
    assert [verdict for _, verdict in roundtrip(corpus, FORMAT)] == [
        verdict for _, verdict in roundtrip(formats.load(file), FORMAT)
    ]


def test_a_fault_in_a_later_part_has_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = json.dumps({"messages": [{"role": "user", "content": "Hello there"}]})
    file = tmp_path / "a.jsonl"
    file.write_text(f"{good}\n" * 30 + "{'no': json}\n", encoding="utf-8")
    monkeypatch.setattr(multi_file, "PIECE", 300)
    with refuses(FormatError, "not-json", "line 31"):
        list(formats.load(file))
