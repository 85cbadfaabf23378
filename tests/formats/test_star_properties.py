"""Whatever STAR file is read, writing it gives the same values; nothing else ever escapes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError
from dialoom.formats.star import writing
from dialoom.formats.star.version6 import is_version6
from tests.formats.star_json import (
    DATA,
    Json,
    read,
    spell,
    texts,
    there_and_back,
    values,
    version6,
    version7,
)
from tests.strategies import dialogues, sampled


@sampled
@given(version7)
def test_version_7_comes_back_value_for_value(file: Json) -> None:
    content = there_and_back(json.dumps(file).encode())
    assert spell(json.loads(content)) == spell(file)


@sampled
@given(version6)
def test_version_6_comes_back_value_for_value(file: Json) -> None:
    assert is_version6(file)
    content = there_and_back(json.dumps(file).encode())
    assert spell(json.loads(content)) == spell(file)


@sampled
@given(version7)
def test_the_regular_layout_comes_back_byte_for_byte(file: Json) -> None:
    # A float has more than one good spelling; which one is used is not the layout's business.
    file = json.loads(json.dumps(file), parse_float=lambda text: 0.5)
    data = json.dumps(file, indent=2, sort_keys=True).encode()
    assert there_and_back(data) == data


@sampled
@given(version7)
def test_events_keep_their_places(file: Json) -> None:
    dialogue = read(json.dumps(file).encode())
    assert len(dialogue.events) == len(file["Events"])
    for event, raw in zip(dialogue.events, file["Events"], strict=True):
        assert writing.event_name(event).split()[0] == raw["Agent"]
        if "Text" in raw and raw["Action"] != "complete":
            assert getattr(event, "text", raw["Text"]) == raw["Text"]


@sampled
@given(dialogues())
def test_any_dialogue_is_written_as_a_file_that_reads_back(dialogue: Dialogue) -> None:
    content = writing.to_bytes(dialogue, 1)
    back = read(content)
    assert len(back.events) == len(dialogue.events)
    assert writing.to_bytes(back, 1) == content


# --- damaged input -------------------------------------------------------------------------------

GOLDEN = [
    (DATA / "star" / "dialogues" / "2.json").read_bytes(),
    (DATA / "version6.json").read_bytes(),
]


def survives(data: bytes) -> None:
    """Read damaged input: it is a dialogue that can be written, or a FormatError."""
    try:
        read(data)
    except FormatError as error:
        assert "\n" not in str(error)
    else:
        there_and_back(data)


@given(st.sampled_from(GOLDEN), st.data())
def test_truncated_input(golden: bytes, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(golden) - 2))
    with pytest.raises(FormatError):
        read(golden[:cut])


@given(st.sampled_from(GOLDEN), st.binary(max_size=4), st.data())
def test_overwritten_bytes(golden: bytes, patch: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(golden) - 1))
    survives(golden[:start] + patch + golden[start + len(patch) :])


@given(st.sampled_from(GOLDEN), values, st.data())
def test_values_of_the_wrong_type(golden: bytes, value: Any, data: st.DataObject) -> None:
    file = json.loads(golden)
    holder, key = data.draw(st.sampled_from(list(_places(file))))
    holder[key] = value
    survives(json.dumps(file).encode())


@given(st.sampled_from(GOLDEN), st.data())
def test_missing_fields(golden: bytes, data: st.DataObject) -> None:
    file = json.loads(golden)
    holder, key = data.draw(st.sampled_from(list(_places(file))))
    del holder[key]
    survives(json.dumps(file).encode())


@sampled
@given(texts | values)
def test_other_json(value: Any) -> None:
    with pytest.raises(FormatError):
        read(json.dumps(value).encode())


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a JSON value: what holds it, and its key or index."""
    places: list[tuple[Any, Any]] = []
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, child in inner:
        places.append((value, key))
        if isinstance(child, dict | list):
            places.extend(_places(child))
    return places
