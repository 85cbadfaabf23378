from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dialoom.schema import pack
from dialoom.schema.pack import starter
from dialoom.schema.places import parse
from dialoom.schema.yaml.writing import scalar, write

words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=12)
scalars = words | st.integers(-(10**9), 10**9) | st.booleans()
values: st.SearchStrategy[Any] = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", pack.names())
def test_bundled_files_come_back(name: str) -> None:
    value = pack.document(name).value
    assert parse(write(value, "a comment"), name).value == value


@given(st.dictionaries(words, values, min_size=1, max_size=4))
def test_what_is_written_reads_back(value: dict[str, Any]) -> None:
    assert parse(write(value), "t").value == value


@pytest.mark.parametrize(
    "text", ["no", "17:00", "1", "- x", "a: b", "# c", "{x}", "[y", "null", "'"]
)
def test_texts_that_yaml_would_misread(text: str) -> None:
    assert parse(f"a: {scalar(text)}\nb: [{scalar(text)}]", "t").value == {"a": text, "b": [text]}


def test_other_readers_read_what_a_new_file_begins_with() -> None:
    text = starter("pizza_order")
    assert yaml.load(text, yaml.SafeLoader).keys() == parse(text, "t").value.keys()


def test_other_readers_of_yaml_agree() -> None:
    value = {"system": ["Which one?", "What time would do?"], "slots": {"a": {"says": "Why? Now"}}}
    for length in (1, 20):
        longer = {**value, "user": ["May I go?"] * length}
        assert yaml.load(write(longer), yaml.SafeLoader) == longer
