"""One codec in both directions, and what it refuses."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, Result, Utterance, decode, digest, encode
from dialoom.dialogue.annotation import DefaultedStruct, Struct
from dialoom.errors import FormatError
from dialoom.schema import pack
from tests.make import refuses
from tests.strategies import dialogues


@given(dialogues())
def test_there_and_back(dialogue: Dialogue) -> None:
    line = encode(dialogue)
    assert decode(line) == dialogue
    assert encode(decode(line)) == line  # tells 1, 1.0 and true apart, which compare equal


@given(dialogues())
def test_equal_dialogues_have_the_same_bytes(dialogue: Dialogue) -> None:
    again = pickle.loads(pickle.dumps(dialogue))
    assert encode(again) == encode(dialogue)
    assert digest(again) == digest(dialogue)


def test_every_struct_of_the_data_model_takes_its_defaults() -> None:
    pack.load("weather")
    kinds: list[type[Struct]] = [Struct]
    names: set[str] = set()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        layers = kind.__module__.startswith(("dialoom.dialogue.", "dialoom.schema."))
        defaults = [each.default for each in msgspec.structs.fields(kind)] if layers else []
        if any(isinstance(each, float) or (isinstance(each, str) and each) for each in defaults):
            names.add(kind.__name__)
            assert issubclass(kind, DefaultedStruct), kind
    assert {"Query", "Dialogue", "Call"} <= names


def test_a_default_that_a_file_states_is_left_out() -> None:
    line = b'{"id":"1","events":[{"type":"query","id":"q","api":"a","agent":"system"}]}'
    stated = decode(line)
    bare = decode(line.replace(b',"agent":"system"', b""))
    assert stated == bare
    assert encode(stated) == encode(bare)


@given(dialogues())
def test_a_dialogue_is_one_line_of_json(dialogue: Dialogue) -> None:
    line = encode(dialogue)
    assert b"\n" not in line
    assert b"\r" not in line
    assert json.loads(line)["id"] == dialogue.id


@given(dialogues())
def test_a_truncated_line_is_a_format_error(dialogue: Dialogue) -> None:
    line = encode(dialogue)
    for cut in {1, len(line) // 2, len(line) - 1}:
        with pytest.raises(FormatError):
            decode(line[:cut])


@given(st.binary(max_size=40) | st.text(max_size=40).map(str.encode))
def test_any_other_bytes_are_a_format_error(line: bytes) -> None:
    with pytest.raises(FormatError):
        decode(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"id":"1"}',
        b'{"id":1,"events":[]}',
        b'{"id":"1","events":[],"colour":"red"}',
        b'{"id":"1","events":[{"type":"song"}]}',
        b'{"id":"1","events":[{"agent":"user","text":"no kind"}]}',
        b'{"id":"1","events":[{"type":"utterance","agent":"user","text":"hi","mood":"fine"}]}',
        b'{"id":"1","events":[{"type":"utterance","agent":"user"}]}',
        b'{"id":"1","events":[],"extra":{"n":1e999}}',
        b'{"id":"\xff","events":[]}',
        b'{"id":"1","events":[]} {"id":"2","events":[]}',
        b'{"id":"1","events":[],"extra":{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}}",
    ],
    ids=lambda line: line[:60].decode("latin-1"),
)
def test_what_is_no_dialogue_is_refused_in_one_line(line: bytes) -> None:
    with pytest.raises(FormatError) as refused:
        decode(line, path=Path("corpus/part-0.jsonl"), number=7)
    message = str(refused.value)
    assert message.startswith("corpus/part-0.jsonl, line 7: not a native dialogue: ")
    assert "\n" not in message
    assert len(message) < 500


def test_the_message_names_the_unknown_field_and_its_place() -> None:
    line = b'{"id":"1","events":[{"type":"utterance","agent":"user","text":"hi","mood":"fine"}]}'
    with refuses(FormatError, "wrong-type", "`$.events[0]`"):
        decode(line)


def test_the_order_of_keys_survives() -> None:
    item = {"name": "Ada's", "location": "Rome", "cuisine": "thai"}
    result = decode(encode(Dialogue(id="1", events=(Result(items=(item,)),)))).events[0]
    assert isinstance(result, Result)
    assert list(result.items[0]) == ["name", "location", "cuisine"]


def test_defaults_are_left_out() -> None:
    dialogue = Dialogue(id="1", events=(Utterance(agent="user", text="Hello."),))
    event = b'{"type":"utterance","agent":"user","text":"Hello."}'
    assert encode(dialogue) == b'{"id":"1","events":[' + event + b"]}"


def test_equal_values_have_equal_digests_whatever_their_keys_order() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": 2})
    assert len(digest([])) == 16


def test_values_are_frozen() -> None:
    dialogue = Dialogue(id="1", events=())
    with pytest.raises(AttributeError):
        dialogue.id = "2"  # type: ignore[misc]
