"""Detection by the fields that only one layout has, and refusals that name what was seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.errors import FormatError
from dialoom.formats.base.signs import Sight, Sign, Signs, beginning
from dialoom.formats.unread import LAYOUTS
from tests.make import refuses

SGD_TURN = {"speaker": "USER", "utterance": "Hi", "frames": []}
CONVLAB = {
    "dataset": "x",
    "dialogue_id": "x-1",
    "turns": [{"speaker": "user", "utterance": "A taxi.", "utt_idx": 0, "dialogue_acts": {}}],
}


def put(folder: Path, value: Any, name: str = "data.json") -> Path:
    file = folder / name
    file.write_text(json.dumps(value))
    return file


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a": [1, {"b": "x', {"a": [1, {}]}),
        (b'[{"a": "],{", "b": [', [{"a": "],{", "b": []}]),
        (b'{"a": "\\"", "b": "cut', {"a": '"'}),
        (b'{"a": 1}\n{"b": 2}', {"a": 1}),
        (b"[[[", [[[]]]),
    ],
)
def test_a_value_that_is_cut_off_is_closed(data: bytes, value: Any) -> None:
    assert beginning(data) == value


def test_what_is_no_json_has_no_fields() -> None:
    for data in (b"{]", b"1 hello", b"", b'{"a" 1, "b": 2}'):
        assert not list(Sight.of(data).entries)


def test_a_field_in_a_text_is_no_evidence() -> None:
    signs = Signs("turns[].speaker")
    assert signs.lacking(Sight.of(b'[{"text": "\\"turns\\": [{\\"speaker\\": 1}]"}]')) is None


def test_what_is_missing_is_named_with_the_value_that_is_there() -> None:
    signs = Signs("turns[]", Sign("turns[].speaker", "USER"), "turns[].text")
    lacking = signs.lacking(Sight.of(b'[{"turns": [{"speaker": "bot"}]}]'))
    assert lacking == "'turns[].speaker' as USER (it is 'bot') and 'turns[].text'"
    assert signs.lacking(Sight.of(b'{"turns": []}')) is None
    assert Signs("turns[].speaker", "id").lacking(Sight.of(b'{"id": 1, "turns": []}')) == ""
    assert signs.lacking(Sight.of(b'{"rounds": []}')) is None


def test_turns_of_sgd_are_read_as_sgd(tmp_path: Path) -> None:
    file = put(tmp_path, [{"dialogue_id": "1_1", "services": [], "turns": [SGD_TURN]}])
    assert formats.load(file).format == "sgd"


@pytest.mark.parametrize("speaker", ["user", "BOT", 0])
def test_turns_of_other_speakers_are_not_read_as_sgd(speaker: Any, tmp_path: Path) -> None:
    turns = [SGD_TURN, SGD_TURN | {"speaker": speaker}]
    file = put(tmp_path, [{"dialogue_id": "1_1", "turns": turns}])
    with refuses(FormatError, "unknown-format", "USER", "SYSTEM"):
        formats.load(file)


def test_unified_files_are_not_read_as_sgd(tmp_path: Path) -> None:
    put(tmp_path, [CONVLAB], "dialogues.json")
    put(tmp_path, {"domains": {}}, "ontology.json")
    assert formats.load(tmp_path).format == "convlab"
    with refuses(FormatError, "other-format", "USER", "SYSTEM"):
        formats.load(tmp_path, "sgd")


def test_dialogues_without_turns_are_of_the_layout_that_has_their_other_fields(
    tmp_path: Path,
) -> None:
    assert formats.load(put(tmp_path, [{"dialogue_id": "1_1", "turns": []}])).format == "sgd"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ABCD's guidelines", {"A": {"description": "b", "subflows": {}}}),
        ("CLINC150", {"oos_val": [["a", "oos"]], "oos_test": []}),
        ("MultiWOZ 2.2's dialogue acts", {"S": {"0": {"dialog_act": {}, "span_info": []}}}),
        ("DSTC2's labels", {"session-id": "v", "turns": [{"transcription": "a"}]}),
        ("BFCL's answers", [{"id": "a_0", "ground_truth": [["ls()"]]}]),
        ("tau2-bench's tasks", [{"id": "0", "user_scenario": {}, "evaluation_criteria": {}}]),
        ("task schemas", [{"service_name": "A_1", "slots": [], "intents": []}]),
    ],
)
def test_layouts_without_a_reader_are_refused_by_their_name(
    name: str, value: Any, tmp_path: Path
) -> None:
    with refuses(FormatError, "unknown-format", name):
        formats.load(put(tmp_path, value))


def test_no_layout_without_a_reader_is_also_read(tmp_path: Path) -> None:
    assert not LAYOUTS.keys() & set(formats.FORMATS)


def test_files_without_the_fields_are_left_out_of_a_folder(tmp_path: Path) -> None:
    talk = {"conversation_id": "d", "utterances": [{"index": 0, "speaker": "USER", "text": "Hi"}]}
    put(tmp_path, [talk], "b.json")
    put(tmp_path, {"hotels": [{"groups": []}]}, "a_ontology.json")
    corpus = formats.load(tmp_path)
    assert (corpus.format, [file.name for file in corpus.files]) == ("taskmaster1", ["b.json"])


def test_a_field_after_megabytes_is_found(tmp_path: Path) -> None:
    talk = {"notes": "x" * 100_000, "messages": [{"role": "user", "content": "Hi"}]}
    assert formats.load(put(tmp_path, talk)).format == "chat"
