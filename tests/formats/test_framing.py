"""Frames of files: byte order marks, JSON lists and JSON lines, in every format that reads JSON."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.errors import FormatError
from dialoom.quality.lint import lint
from dialoom.quality.roundtrip import roundtrip
from tests.formats.golden import golden
from tests.formats.star_json import DATA
from tests.make import refuses

BOM = b"\xef\xbb\xbf"
SGD = {
    "dialogue_id": "1_1",
    "services": [],
    "turns": [{"speaker": "USER", "utterance": "Hi", "frames": []}],
}
CHAT = {"id": "1", "messages": [{"role": "user", "content": "Hi"}]}
TASKMASTER = {"conversation_id": "1", "utterances": [{"speaker": "USER", "text": "Hi"}]}
JSON = {"sgd": SGD, "chat": CHAT, "taskmaster1": TASKMASTER}


def lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def verdicts(path: Path) -> tuple[str, int, set[str]]:
    corpus = formats.load(path)
    outcomes: set[str] = {verdict for _, verdict in roundtrip(corpus, formats.get(corpus.format))}
    return corpus.format, len(list(corpus)), outcomes


@pytest.mark.parametrize("name", ["sgd", "gem", "taskmaster1", "frames", "dstc6", "babi", "iob"])
def test_a_byte_order_mark_is_read_and_written_again(tmp_path: Path, name: str) -> None:
    corpus = Corpus(golden(name, tmp_path), formats.get(name))
    for file in corpus.files:
        file.write_bytes(BOM + file.read_bytes())
    again = formats.load(corpus.path)
    assert again.format == name
    plain = Corpus(shutil.copytree(DATA / name, tmp_path / "plain"), formats.get(name))
    assert [each.events for each in again] == [each.events for each in plain]
    for file, verdict in roundtrip(again, formats.get(name)):
        output = formats.get(name).render_file(list(again.read_file(file)))
        assert verdict != "differs"
        assert output.startswith(BOM)


@pytest.mark.parametrize("name", JSON)
@pytest.mark.parametrize("suffix", [".json", ".jsonl"])
@pytest.mark.parametrize("frame", ["list", "indented", "lines", "blank last line", "one line"])
def test_lists_and_lines_are_read_under_either_name(
    tmp_path: Path, name: str, suffix: str, frame: str
) -> None:
    values = [JSON[name]] * (1 if frame == "one line" else 2)
    if frame in ("list", "indented"):
        data = json.dumps(values, indent=2 if frame == "indented" else None).encode()
    else:
        data = lines(*values) + (b"\n" if frame == "blank last line" else b"")
    file = tmp_path / f"dialogues_001{suffix}"
    file.write_bytes(data)
    format, dialogues, outcomes = verdicts(file)
    assert (format, dialogues) == (name, len(values))
    assert "differs" not in outcomes


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "dialogues_001.jsonl"
    file.write_bytes(lines(SGD) + b"\n{broken\n")
    with refuses(FormatError, "not-json", "line 3"):
        list(formats.load(file))


@pytest.mark.parametrize(("name", "code"), [(None, "unknown-format"), ("sgd", "other-format")])
def test_a_file_that_only_begins_like_sgd_is_refused(
    tmp_path: Path, name: str | None, code: str
) -> None:
    turn = {"speaker": "user", "utterance": "A taxi.", "frames": []}
    file = tmp_path / "dialogues.json"
    file.write_text(json.dumps([{"dialogue_id": "1", "turns": [turn]}]))
    with refuses(FormatError, code, "speaker", "USER", "SYSTEM"):
        formats.load(file, name)


def test_the_keys_of_an_unknown_file_are_listed(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(lines({"talk": [{"who": "x"}]}, {"talk": []}))
    with refuses(FormatError, "unknown-format", "talk"):
        formats.load(file)


def test_a_compressed_file_that_is_not_unpacked_is_named(tmp_path: Path) -> None:
    file = tmp_path / "dialogues.json.zst"
    file.write_bytes(b"\x28\xb5\x2f\xfd\0")
    with refuses(FormatError, "unknown-format", "zstd"):
        formats.load(file)


@pytest.mark.parametrize("start", ["2", 2.0])
def test_an_offset_that_is_a_text_is_read_and_written_again(tmp_path: Path, start: object) -> None:
    segment = {"start_index": start, "end_index": "7", "text": "large", "annotations": []}
    turn = {"speaker": "USER", "text": "A large one.", "segments": [segment]}
    slot = {"start": start, "exclusive_end": "7", "slot": "size"}
    frame = {"actions": [], "service": "A_1", "slots": [slot]}
    values = {
        "taskmaster1": {"conversation_id": "1", "utterances": [turn]},
        "sgd": SGD | {"turns": [{"speaker": "USER", "utterance": "A large", "frames": [frame]}]},
    }
    for name, value in values.items():
        file = tmp_path / f"dialogues_{name}.json"
        file.write_text(json.dumps([value]))
        (utterance,) = next(iter(formats.load(file))).events
        (span,) = utterance.layers[0].parts[0].spans  # type: ignore[union-attr, misc]
        assert (span.start, span.end) == (2, 7)
        assert "differs" not in verdicts(file)[2]


def test_an_offset_that_is_no_number_is_a_finding_and_ends_no_file(tmp_path: Path) -> None:
    segment = {"start_index": "two", "end_index": 7}
    turns = [
        {"speaker": "USER", "text": "A"},
        {"speaker": "USER", "text": "A", "segments": [segment]},
    ]
    file = tmp_path / "dialogs.json"
    file.write_text(json.dumps([{"conversation_id": "dlg-1", "utterances": turns}]))
    findings = [each for each in lint(formats.load(file)) if each.code == "E601"]
    assert [each.pointer for each in findings] == ["/events/1/layers/0/parts/0/spans/0"]
    assert "'two'" in findings[0].message
    output = formats.get("taskmaster1").render_file(list(formats.load(file)))
    assert json.loads(output)[0]["utterances"] == turns
