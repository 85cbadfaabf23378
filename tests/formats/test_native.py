"""The native corpus: there and back, fixed bytes, and every way it can be damaged."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import Dialogue, Utterance, encode
from dialoom.errors import DialoomError, FormatError, MissingDataError, SchemaError
from dialoom.formats import native
from dialoom.schema.task import TaskSchema
from tests.make import refuses
from tests.strategies import dialogues, sampled

FORMAT = native.FORMAT
NO_NAMES = ["../../evil", "a/b", "/evil", "..", ".hidden", "nul\0", "line\n", "x" * 300, "é" * 120]
TASKS = {"boat_hire": TaskSchema(id="boat_hire", replies={"hello": "Hello!"})}


def spoken(count: int) -> list[Dialogue]:
    return [
        Dialogue(id=str(index), events=(Utterance(agent="user", text="Hi"),))
        for index in range(count)
    ]


@pytest.fixture
def corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A corpus of five dialogues in three shards."""
    monkeypatch.setattr(native, "SHARD", 2)
    FORMAT.write(spoken(5), TASKS, tmp_path)
    return tmp_path


def read(path: Path) -> list[Dialogue]:
    return list(formats.load(path, "native").dialogues())


@sampled
@given(st.lists(dialogues(), max_size=3))
def test_there_and_back(given_dialogues: list[Dialogue]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        FORMAT.write(given_dialogues, TASKS, folder)
        assert read(folder) == given_dialogues
        assert FORMAT.schemas(folder) == TASKS


def test_shards(corpus: Path) -> None:
    manifest = FORMAT.manifest(corpus)
    assert manifest.dialogues == 5
    assert list(manifest.shards) == [f"dialogues-0000{index}.jsonl" for index in range(3)]
    assert list(manifest.schemas) == ["boat_hire"]
    assert read(corpus) == spoken(5)
    assert read(corpus / "dialogues-00001.jsonl") == spoken(5)[2:4]


def test_the_same_dialogues_give_the_same_bytes(tmp_path: Path) -> None:
    contents: list[dict[str, bytes]] = []
    for folder in (tmp_path / "a", tmp_path / "elsewhere"):
        folder.mkdir()
        FORMAT.write(spoken(3), TASKS, folder)
        files = sorted(file for file in folder.rglob("*") if file.is_file())
        contents.append({str(file.relative_to(folder)): file.read_bytes() for file in files})
    assert contents[0] == contents[1]
    assert str(tmp_path).encode() not in b"".join(contents[0].values())


def test_an_empty_corpus(tmp_path: Path) -> None:
    FORMAT.write([], {}, tmp_path)
    assert read(tmp_path) == []
    assert FORMAT.schemas(tmp_path) == {}


def test_events_are_named_by_agent_and_kind() -> None:
    assert FORMAT.event_name(Utterance(agent="user", text="")) == "user utterance"


def cut(data: bytes) -> bytes:
    return data[:-5]


def empty(data: bytes) -> bytes:
    return b""


def nonsense(data: bytes) -> bytes:
    return b"\x00\xff\n"


def other_json(data: bytes) -> bytes:
    return b'{"id": "1"}\n'


def unknown_field(data: bytes) -> bytes:
    return data.replace(b'"id"', b'"mood":1,"id"', 1)


def deep(data: bytes) -> bytes:
    inner = b"[" * 300 + b"]" * 300
    return data.replace(b'"text":"Hi"', b'"text":"Hi","extra":{"a":' + inner + b"}", 1)


def deeper(data: bytes) -> bytes:
    inner = b"[" * 100_000 + b"]" * 100_000
    return data.replace(b'"text":"Hi"', b'"text":"Hi","extra":{"a":' + inner + b"}", 1)


@pytest.mark.parametrize("end", [b"\n", b" \n\r\n"])
def test_blank_lines_and_a_byte_order_mark_are_read_over(corpus: Path, end: bytes) -> None:
    shard = corpus / "dialogues-00001.jsonl"
    whole = shard.read_bytes()
    shard.write_bytes(b"\xef\xbb\xbf" + whole.replace(b"\n", b"\n\n") + end)
    assert read(corpus) == spoken(5)


DAMAGE = [cut, empty, nonsense, other_json, unknown_field, deep, deeper]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda damage: damage.__name__)
def test_a_damaged_shard(corpus: Path, damage: Callable[[bytes], bytes]) -> None:
    shard = corpus / "dialogues-00001.jsonl"
    shard.write_bytes(damage(shard.read_bytes()))
    with pytest.raises(FormatError, match=shard.name):
        read(corpus)


def test_the_last_line_may_do_without_its_end(corpus: Path) -> None:
    shard = corpus / "dialogues-00001.jsonl"
    shard.write_bytes(shard.read_bytes().rstrip(b"\n"))
    assert read(corpus) == spoken(5)


def test_an_endless_line_is_refused(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "LINE", 1 << 10)
    shard = corpus / "dialogues-00001.jsonl"
    shard.write_bytes(b" " * 2000)
    with refuses(FormatError, "too-large", "line 1"):
        read(corpus)


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_task_of_any_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    target = tmp_path / "a" / "b"
    target.mkdir(parents=True)
    tasks = TASKS | {name: TaskSchema(id=name, replies={"hello": "Hi!"})}
    FORMAT.write(spoken(1), tasks, target)
    assert FORMAT.schemas(target) == tasks
    assert all(file.parent == target / "schemas" for file in tmp_path.rglob("*schema.json"))
    assert {file for file in tmp_path.rglob("*") if file.is_file()} == set(target.rglob("*.json*"))


def test_two_files_of_one_task(corpus: Path) -> None:
    schema = (corpus / "schemas" / "boat_hire.json").read_bytes()
    (corpus / "schemas" / "copy.json").write_bytes(schema)
    with refuses(SchemaError, "twice", "boat_hire"):
        FORMAT.schemas(corpus)


@pytest.mark.parametrize("place", [5, 20, 60, -9, -1])
def test_a_damaged_gzip_shard(tmp_path: Path, place: int) -> None:
    data = bytearray(gzip.compress(b"\n".join(map(encode, spoken(200))) + b"\n", mtime=0))
    data[place] ^= 0xFF
    shard = tmp_path / "dialogues.jsonl.gz"
    shard.write_bytes(data)
    if place == 5:  # only the modification time
        assert len(read(shard)) == 200
    else:
        with pytest.raises(FormatError):
            read(shard)


def test_a_truncated_gzip_shard(tmp_path: Path) -> None:
    data = gzip.compress(encode(spoken(1)[0]) + b"\n", mtime=0)
    shard = tmp_path / "dialogues.jsonl.gz"
    for end in range(0, len(data), 7):
        shard.write_bytes(data[:end])
        with pytest.raises(FormatError):
            read(shard)


def test_a_shard_with_fewer_dialogues_than_the_manifest_names(corpus: Path) -> None:
    shard = corpus / "dialogues-00001.jsonl"
    shard.write_bytes(b"".join(shard.read_bytes().splitlines(keepends=True)[1:]))
    with refuses(FormatError, "mismatch", "manifest.json", "5 dialogues", "to 4", shard.name):
        formats.load(corpus)
    manifest = corpus / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"dialogues": 5', '"dialogues": 4'))
    assert read(corpus) == [each for each in spoken(5) if each.id != "2"]


def test_listed_shards_may_be_compressed(corpus: Path) -> None:
    shard = corpus / "dialogues-00001.jsonl"
    shard.with_name(f"{shard.name}.gz").write_bytes(gzip.compress(shard.read_bytes()))
    shard.unlink()
    assert read(corpus) == spoken(5)


def test_a_missing_shard(corpus: Path) -> None:
    (corpus / "dialogues-00001.jsonl").unlink()
    with refuses(MissingDataError, "no-file", "dialogues-00001.jsonl"):
        read(corpus)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        '{"native": "1", "dialogues": 0, "shards": {}}',
        '{"native": 1, "dialogues": 0}',
        '{"native": 1, "dialogues": 0, "shards": {}, "mood": 1}',
        '{"native": 2, "dialogues": 0, "shards": {}}',
        '{"native": 1, "dialogues": 1, "shards": {"../secret.jsonl": ""}}',
        '{"native": 1, "dialogues": 1, "shards": {"/etc/passwd": ""}}',
        '{"native": 1, "dialogues": 1, "shards": {"a\\u0000.jsonl": ""}}',
    ],
)
def test_a_wrong_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(FormatError, match=r"manifest\.json"):
        read(tmp_path)


def test_no_manifest(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-files"):
        read(tmp_path)


def test_a_missing_schema(corpus: Path) -> None:
    (corpus / "schemas" / "boat_hire.json").unlink()
    with refuses(MissingDataError, "no-file", "boat_hire"):
        FORMAT.schemas(corpus)
    assert FORMAT.schemas(next(corpus.glob("*.jsonl"))) == {}  # of a shard alone none is expected


def test_a_wrong_schema(corpus: Path) -> None:
    (corpus / "schemas" / "boat_hire.json").write_text('{"mood": 1}')
    with refuses(SchemaError, "bad-task", "boat_hire.json"):
        FORMAT.schemas(corpus)


def test_a_folder_in_place_of_a_shard(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").mkdir()
    text = json.dumps({"native": 1, "dialogues": 0, "shards": {"a.jsonl": ""}})
    (tmp_path / "manifest.json").write_text(text)
    with refuses(DialoomError, "no-file", "a.jsonl"):
        read(tmp_path)
