"""Whatever SGD file is read, writing it gives the same values; nothing else ever escapes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue, Origin, decode, encode
from dialoom.errors import FormatError
from dialoom.formats.sgd import FORMAT, lenient, read, writing
from tests.formats.laid_out import FILE, Json, spell, there_and_back
from tests.formats.sgd_json import irregular_files, regular_files
from tests.formats.star_json import DATA
from tests.strategies import dialogues, json_values, sampled

GOLDEN = [
    (DATA / "sgd" / name).read_bytes()
    for name in ("train/dialogues_001.json", "dev/dialogues_002.json")
]


def published(file: Any) -> bytes:
    """Lay a file out as the published ones are."""
    return json.dumps(file, indent=2, sort_keys=True).encode() + b"\n"


@sampled
@given(regular_files)
def test_the_regular_layout_comes_back_byte_for_byte(file: list[Json]) -> None:
    assert there_and_back(FORMAT, published(file)) == published(file)


@sampled
@given(irregular_files)
def test_any_file_comes_back_value_for_value(file: list[Json]) -> None:
    assert spell(json.loads(there_and_back(FORMAT, json.dumps(file).encode()))) == spell(file)


@sampled
@given(irregular_files)
def test_keys_of_its_own_are_where_the_layout_has_them(file: list[Json]) -> None:
    # A number has more than one good spelling; which one is used is not the layout's business.
    file = json.loads(json.dumps(file), parse_float=lambda text: 0.5)
    assert there_and_back(FORMAT, published(file)) == published(file)


@sampled
@given(regular_files)
def test_both_ways_of_reading_agree(file: list[Json]) -> None:
    file = json.loads(published(file))  # its keys in order
    slowly = [
        lenient.dialogue(each, FILE, Origin("file", index)) for index, each in enumerate(file)
    ]
    assert list(read(published(file), FILE, "file")) == slowly
    assert list(read(json.dumps(file).encode(), FILE, "file")) == slowly


@sampled
@given(st.lists(dialogues(), max_size=3))
def test_any_dialogue_is_written_as_a_file_that_reads_back(held: list[Dialogue]) -> None:
    content = writing.to_bytes(held)
    assert content.isascii()
    assert content == published(json.loads(content)) or b"e" in content  # a float's spelling
    back = list(read(content, FILE, "file"))
    assert [dialogue.id for dialogue in back] == [dialogue.id for dialogue in held]
    assert writing.to_bytes(back) == content


@sampled
@given(regular_files, st.data())
def test_one_changed_word_changes_that_word_only(file: list[Json], data: st.DataObject) -> None:
    places = [(d, t) for d, dialogue in enumerate(file) for t, _ in enumerate(dialogue["turns"])]
    if not places:
        return
    lines = [encode(dialogue) for dialogue in read(published(file), FILE, "file")]
    dialogue, turn = data.draw(st.sampled_from(places))
    file[dialogue]["turns"][turn]["utterance"] = "Mind the gap."
    native = json.loads(lines[dialogue])
    spoken = [event for event in native["events"] if event["type"] == "utterance"]
    spoken[turn]["text"] = "Mind the gap."
    lines[dialogue] = json.dumps(native).encode()
    assert writing.to_bytes([decode(line) for line in lines]) == published(file)


# --- damaged input -------------------------------------------------------------------------------


def survives(data: bytes) -> None:
    """Read damaged input: it is dialogues that can be written, or a FormatError."""
    try:
        list(read(data, FILE, "file"))
    except FormatError as error:
        assert "\n" not in str(error)
    else:
        there_and_back(FORMAT, data)


@given(st.sampled_from(GOLDEN), st.data())
def test_truncated_input(golden: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(golden) - 3))
    with pytest.raises(FormatError):
        list(read(golden[:cut], FILE, "file"))


@given(st.sampled_from(GOLDEN), st.binary(max_size=4), st.data())
def test_overwritten_bytes(golden: bytes, patch: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(golden) - 1))
    survives(golden[:start] + patch + golden[start + len(patch) :])


@sampled
@given(json_values)
def test_other_json(value: Any) -> None:
    if value != []:
        with pytest.raises(FormatError):
            list(read(json.dumps(value).encode(), FILE, "file"))
