"""The comparison behind `dialoom roundtrip`."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import Dialogue
from dialoom.errors import UsageError
from dialoom.quality.roundtrip import Verdict, compare, roundtrip
from tests.formats.golden import READ_ONLY
from tests.formats.star_json import DATA
from tests.make import refuses


@pytest.mark.parametrize(
    ("source", "written", "verdict"),
    [
        (b'{"a": 1}', b'{"a": 1}', "bytes"),
        (b'{"a":1,"b":2}', b'{"b": 2, "a": 1}', "values"),
        (b'{"a": 1}', b'{"a": true}', "differs"),
        (b'{"a": 1}', b'{"a": 1.0}', "differs"),
        (b'{"a": 1}', b'{"a": "1"}', "differs"),
        (b'{"a": null}', b"{}", "differs"),
        (b"[1, 2]", b"[2, 1]", "differs"),
        (b'{"a": [{"b": 1, "b": 2}]}', b'{"a": [{"b": 2}]}', "differs"),
    ],
)
def test_one_json_text(source: bytes, written: bytes, verdict: Verdict) -> None:
    assert compare(source, written, Path("a.json")) == verdict


@pytest.mark.parametrize(
    ("source", "written", "verdict"),
    [
        (b"1\n2\n", b"1\n2\n", "bytes"),
        (b"[1]\n[2]\n", b"[ 1 ]\n[2]\n", "values"),
        (b"1\n2\n", b"1\n", "differs"),
        (b"1\n2\n", b"2\n1\n", "differs"),
        (b'{"a": 1}\n{"b": 1, "b": 2}\n', b'{"a": 1}\n{"b": 2}\n', "differs"),
    ],
)
def test_lines_of_json(source: bytes, written: bytes, verdict: Verdict) -> None:
    assert compare(source, written, Path("a.jsonl")) == verdict
    assert compare(source, written, Path("a.jsonl.gz")) == verdict


def test_compressed_shards_are_compared_by_their_lines(tmp_path: Path) -> None:
    formats.get("native").write([Dialogue(id="1", events=())], {}, tmp_path)
    plain, shard = tmp_path / "dialogues-00000.jsonl", tmp_path / "dialogues-00000.jsonl.gz"
    shard.write_bytes(gzip.compress(plain.read_bytes()))
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest.read_text().replace(plain.name, shard.name))
    corpus = formats.load(tmp_path)
    assert [verdict for _, verdict in roundtrip(corpus, formats.get("native"))] == ["bytes"]
    shard.write_bytes(gzip.compress(b'{"events": [], "id": "1"}\n'))
    assert [verdict for _, verdict in roundtrip(corpus, formats.get("native"))] == ["values"]


def test_every_golden_file_comes_back() -> None:
    star = formats.get("star")
    for path in (DATA / "star", *DATA.glob("*.json")):
        assert all(verdict != "differs" for _, verdict in roundtrip(formats.load(path), star))


@pytest.mark.parametrize("name", READ_ONLY)
def test_a_format_that_is_only_read_is_not_compared(name: str) -> None:
    with refuses(UsageError, "one-way"):
        list(roundtrip(formats.load(DATA / name), formats.get(name)))
