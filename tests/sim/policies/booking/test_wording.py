"""Wording: our lines, lines of a file, and what a file may not say."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from dialoom.errors import FormatError, MissingDataError, UnknownNameError
from dialoom.schema.template import parse
from dialoom.sim.policies.booking.family import FAMILIES, SLOTS
from dialoom.sim.policies.booking.restaurants import values
from dialoom.sim.policies.booking.wording import (
    BOT,
    MENTIONED,
    NAMED,
    bots,
    fits,
    spans,
    texts,
    wording_of,
)


def written(folder: Path, value: object) -> Path:
    file = folder / "wording.json"
    file.write_text(json.dumps(value))
    return file


def test_ours_has_every_line_and_the_bot_says_each_in_one_way() -> None:
    own = wording_of()
    assert all(len(own[line]) == 1 for line in BOT)
    assert len({own[line] for line in BOT}) == len(BOT)
    assert {line: [slot.name for slot in parse(own[line][0]).slots] for line in NAMED} == {
        line: [entity] for line, entity in NAMED.items()
    }
    assert all(own[f"{act}.{slot}"] for slot in SLOTS for act in ("ask", "answer", "request"))


def test_no_literal_of_ours_is_a_value_or_looks_like_an_entity() -> None:
    words = {value for groups in texts().slots.values() for group in groups for value in group}
    for variants in wording_of().values():
        for text in variants:
            tokens = set(parse(text).bare.replace(",", " ").split())
            assert not tokens & words, text
            assert not any("_" in word for word in tokens)


def test_a_line_is_filled_and_tells_where_values_stand() -> None:
    line = parse("{other} can wait, make it {cuisine}").render({"other": "thai", "cuisine": "x"})
    assert line.text == "thai can wait, make it x"
    (span,) = spans(line.places, besides=MENTIONED)
    assert (line.text[span.start : span.end], span.labels) == ("x", ("cuisine",))


def test_another_wording_replaces_the_lines_it_has(tmp_path: Path) -> None:
    file = written(
        tmp_path, {"hello": "yes", "greet": ["good evening to you"], "look": ["let me see"]}
    )
    own, other = wording_of(), wording_of(str(file))
    assert other["hello"] == ("yes",)
    assert other["greet"] == ("good evening to you",)
    assert other["reject"] == own["reject"]


@pytest.mark.parametrize(
    ("value", "what"),
    [
        ([], "expected an object of line id"),
        ({}, "expected an object of line id"),
        ({"helo": "hi"}, "unknown line 'helo'"),
        ({"hello": []}, "expected a text, or a list of texts"),
        ({"hello": 3}, "expected a text, or a list of texts"),
        ({"hello": ["a", "b"]}, "the bot says it in one way"),
        ({"hello": " "}, "is no line"),
        ({"hello": "two\nlines"}, "is no line"),
        ({"greet": [1]}, "is no line"),
        ({"hello": "\ud800"}, "not JSON"),
        ({"hello": "api_call now"}, "would not be read as a line"),
        ({"greet": ["<silence>"]}, "would not be read as a line"),
        ({"offer": "this one?"}, "should have the placeholders: {name}"),
        ({"offer": "{name} {name}"}, "should have the placeholders: {name}"),
        ({"hello": "dear {name}"}, "should have the placeholders: none"),
        ({"hello": "same", "look": "same"}, "look and hello are both 'same'"),
    ],
)
def test_a_wording_that_cannot_be_said_is_refused(tmp_path: Path, value: object, what: str) -> None:
    with pytest.raises(FormatError) as error:
        wording_of(str(written(tmp_path, value)))
    assert what in str(error.value)
    assert "wording.json" in str(error.value)


def test_absent_files_and_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        wording_of(str(tmp_path / "absent.json"))
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(FormatError):
        wording_of(str(tmp_path / "bad.json"))
    with pytest.raises(UnknownNameError):
        texts("xx")


def test_both_designs_share_what_is_not_halved() -> None:
    for design in FAMILIES.values():
        one, two = values(design, 1), values(design, 2)
        assert [set(a) == set(b) for a, b in zip(one, two, strict=True)] == [False, False] + [
            True
        ] * (len(one) - 2)
        assert not set(one[0]) & set(two[0])
        assert not set(one[1]) & set(two[1])


def test_each_bundled_wording_has_all_of_the_bots_lines_in_other_words() -> None:
    wordings = [wording_of(), *(wording_of(str(n + 1)) for n in range(len(bots().wordings)))]
    for line in BOT:
        assert len({each[line] for each in wordings}) == len(wordings), line
    for each in wordings:
        assert len({each[line] for line in BOT}) == len(BOT)
        assert all(fits(each[line][0], wordings[0][line]) for line in BOT)


@pytest.mark.parametrize("number", ["0", "99"])
def test_a_wording_that_is_not_bundled_is_refused(number: str) -> None:
    with pytest.raises(UnknownNameError):
        wording_of(number)


def test_additions_fit_what_they_are_added_to() -> None:
    """ "make it where they cook indian", "where the mood is business", "a expensive price" """
    for line, variants in wording_of().items():
        act, _, slot = line.partition(".")
        for text in variants:
            assert not re.search(r"\ban? \{(?:price|cuisine|other|more)\}", text), text
            if act == "request" and slot:
                assert re.match(r"(?:with|in|somewhere|at|for|serving|within) ", text), text
                assert f"{{{slot}}}" in text and not text.endswith(f"{{{slot}}} about it")
