"""Templates: parsed, rendered with spans, matched inversely."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import UsageError
from dialoom.schema.template import Place, Slot, match_best, parse
from tests.make import refuses

FREE = parse("{gardener:s} has time at {time:s}. Shall I ask?")


def test_both_spellings() -> None:
    assert parse("Room {room:d}!").parts == ("Room ", Slot("room", "d"), "!")
    assert parse("I am [NAME]").slots == (Slot("NAME"),)
    assert parse("[lower] {} {a b}").slots == ()
    assert FREE.bare == "has time at . Shall I ask?"


def test_rendering_tells_the_places() -> None:
    rendered = FREE.render({"gardener": "Ada", "time": 7})
    assert rendered.text == "Ada has time at 7. Shall I ask?"
    assert rendered.places == (Place("gardener", 0, 3), Place("time", 16, 17))


def test_rendering_needs_every_value() -> None:
    with refuses(UsageError, "not-given", "time"):
        FREE.render({"gardener": "Ada"})


@pytest.mark.parametrize(
    "text",
    [
        "Ada Low has time at 7 pm. Shall I ask?",
        "ada low  has time\nat 7 pm. shall i ask",
        "Ada Low has time at 7 pm. Shall I ask?!",
    ],
)
def test_case_spacing_and_last_marks_do_not_count(text: str) -> None:
    match = FREE.match(text)
    assert match is not None and match.score == 1.0
    assert {slot: value.lower() for slot, value in match.values.items()} == {
        "gardener": "ada low",
        "time": "7 pm",
    }
    assert [text[p.start : p.end] for p in match.places] == list(match.values.values())


def test_what_does_not_fit() -> None:
    assert FREE.match("Ada has time at 7.") is None
    assert FREE.match("has time at 7. Shall I ask?") is None
    assert FREE.match("") is None
    assert parse("Hello.").match("Hello. Now what?") is None


def test_a_loose_match_scores_less() -> None:
    match = FREE.match("Ada has tme at 7 pm. Shal I ask?", loose=True)
    assert match is not None and match.score < 1.0
    assert match.values == {"gardener": "Ada", "time": "7 pm"}


def test_a_template_of_placeholders_alone() -> None:
    match = parse("{step:s}").match("Turn left.")
    assert match is not None and match.values == {"step": "Turn left."}
    pair = parse("{a}{b}").match("one two three")
    assert pair is not None and pair.values == {"a": "one", "b": "two three"}


def test_the_best_of_several() -> None:
    templates = {
        "any": parse("{text:s}"),
        "step": parse("{text:s} Shall I go on?"),
        "bye": parse("Goodbye."),
    }
    best = match_best("Turn left. Shall I go on?", templates)
    assert best is not None
    assert best[0] == "step" and best[1].values == {"text": "Turn left."}
    assert match_best("goodbye", {"bye": templates["bye"]}) is not None
    assert match_best("well", {"bye": templates["bye"]}) is None


literals = st.text(alphabet="abcdefgh ,'", min_size=1, max_size=10)
values = st.text(alphabet="XYZ019 .", min_size=1, max_size=8).filter(lambda v: v.strip() == v)


@given(st.lists(literals, min_size=2, max_size=4), st.lists(values, min_size=3, max_size=3))
def test_what_was_rendered_is_matched(parts: list[str], said: list[str]) -> None:
    template = parse("".join(f"{part}{{slot{n}:s}}" for n, part in enumerate(parts[:3])) + "end")
    given_values = {f"slot{n}": value for n, value in enumerate(said)}
    rendered = template.render(given_values)
    match = template.match(rendered.text)
    assert match is not None and match.score == 1.0
    again = template.render(match.values).text
    assert "".join(again.split()).lower() == "".join(rendered.text.split()).lower()


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_is_read(template: str, text: str) -> None:
    match = parse(template).match(text, loose=True)
    for place in match.places if match else ():
        assert 0 <= place.start < place.end <= len(text)


def test_long_texts_take_no_long() -> None:
    assert parse("{a} x {b} x {c} x {d} y").match("x " * 50_000, loose=False) is None
