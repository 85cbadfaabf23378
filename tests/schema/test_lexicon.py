"""Word lists of a language, and cues."""

from __future__ import annotations

import pytest

from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import cues, fields, lexicon, split_name, words


def test_an_unknown_language_names_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match="en"):
        lexicon("tlh")


def test_cues_are_whole_words() -> None:
    found = cues("Thanks, that’s all. Bye!")
    assert found["thanks"] and found["farewell"] and found["done"]
    assert not cues("nobody knows")["no"]


def test_every_cue_is_answered() -> None:
    assert cues("").keys() == {*lexicon("en").cues, "mark"}
    assert not any(cues("").values())


def test_identifiers_and_words() -> None:
    assert split_name("StartTimeHour") == split_name("start_time-hour") == ["start", "time", "hour"]
    assert words("Isn't it 8:30, O'Neil?") == ["isn't", "it", "8:30", "o'neil"]


def test_fields() -> None:
    assert fields({"a": 1}) == "{'a': 1}"
    assert fields(["x", [1, 2]]) == "x, 1, 2"
