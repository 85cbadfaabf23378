"""Word lists of a language, and cues."""

from __future__ import annotations

from dialoom.errors import UnknownNameError
from dialoom.schema.lexicon import cues, fields, lacking, lexicon, split_name, word_lists, words
from tests.make import refuses


def test_an_unknown_language_names_the_known_ones() -> None:
    with refuses(UnknownNameError, "unknown-name", "en"):
        lexicon("tlh")


def test_cues_are_whole_words() -> None:
    signals = cues("Thanks, that’s all. Bye!")
    assert signals["thanks"] and signals["farewell"] and signals["done"]
    assert not cues("nobody knows")["no"]


def test_a_language_may_lack_lists() -> None:
    code = lacking("en", ["words-verbs", "cue-thanks"])
    assert cues("thank you, bye", code) == {**cues("thank you, bye"), "thanks": False}
    assert lexicon(code).language == code
    assert lexicon(code).verbs == frozenset()
    assert lexicon(code).articles == lexicon().articles
    assert lacking("en", []) == "en"
    for name in word_lists():
        assert lexicon(lacking("en", [name])) != lexicon()


def test_every_cue_is_answered() -> None:
    assert cues("").keys() == {*lexicon("en").cues, "mark"}
    assert not any(cues("").values())


def test_identifiers_and_words() -> None:
    assert split_name("StartTimeHour") == split_name("start_time-hour") == ["start", "time", "hour"]
    assert words("Isn't it 8:30, O'Neil?") == ["isn't", "it", "8:30", "o'neil"]


def test_fields() -> None:
    assert fields({"a": 1}) == "{'a': 1}"
    assert fields(["x", [1, 2]]) == "x, 1, 2"
