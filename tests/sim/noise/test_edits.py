"""Edits and where spans are after them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Span
from dialoom.sim.noise.kind import Alignment, Edit, aligned, apply
from tests.strategies import spans, texts

LETTERS = "It is at ten."


@st.composite
def edited(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """Return a text and edits of any length, in order and without overlap."""
    text = draw(texts)
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return text, [Edit(start, end, draw(texts)) for start, end in pairs]


def naive(text: str, edits: list[Edit]) -> tuple[str, list[int | None]]:
    """Return the new text, and for each of its characters the old one it was, letter by letter."""
    old = list(range(len(text)))
    letters: list[str] = list(text)
    where: list[int | None] = list(old)
    for start, end, new in reversed(edits):
        letters[start:end] = list(new)
        where[start:end] = [None] * len(new)
    return "".join(letters), where


@given(edited())
def test_edits_are_made(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    assert apply(text, edits) == naive(text, edits)[0]


@given(edited(), st.data())
def test_a_span_covers_what_became_of_its_characters(
    case: tuple[str, list[Edit]], data: st.DataObject
) -> None:
    text, edits = case
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    after, where = naive(text, edits)
    moved = Alignment(edits).span(Span(start, end, ("a",)))
    assert 0 <= moved.start <= moved.end <= len(after)
    places = {place for place in where[moved.start : moved.end] if place is not None}
    touched = {p for e in edits if e.start < end and e.end > start for p in range(e.start, e.end)}
    assert places >= {p for p in range(start, end) if p in where}
    assert places <= set(range(start, end)) | touched


@given(edited(), spans)
def test_without_edits_any_span_stays(case: tuple[str, list[Edit]], span: Span) -> None:
    assert aligned(span, Alignment(()), case[0], case[0]) == span


@given(edited(), st.integers(1, 40))
def test_a_span_beyond_the_text_is_as_far_beyond_the_new_one(
    case: tuple[str, list[Edit]], beyond: int
) -> None:
    text, edits = case
    moved = Alignment(edits).span(Span(len(text) + beyond, len(text) + beyond + 2))
    length = len(apply(text, edits))
    assert (moved.start, moved.end) == (length + beyond, length + beyond + 2)


def test_what_is_put_in_at_the_borders_stays_outside() -> None:
    edits = [Edit(9, 9, "um "), Edit(12, 12, "ish")]
    moved = Alignment(edits).span(Span(9, 12, ("time",)))
    assert apply(LETTERS, edits)[moved.start : moved.end] == "ten"


def test_what_is_put_in_between_is_inside() -> None:
    edits = [Edit(10, 10, "--")]
    moved = Alignment(edits).span(Span(9, 12, ("time",)))
    assert apply(LETTERS, edits)[moved.start : moved.end] == "t--en"


def test_a_span_shrinks_with_what_it_covers() -> None:
    alignment = Alignment([Edit(12, 13, "")])
    assert alignment.span(Span(9, 13)) == Span(9, 12)
    assert alignment.span(Span(12, 13)) == Span(12, 12)


def test_an_empty_span_stays_empty() -> None:
    assert Alignment([Edit(9, 9, "um ")]).span(Span(9, 9)) == Span(12, 12)


def test_the_sources_copy_is_kept_while_it_still_copies() -> None:
    edits = [Edit(0, 1, "X"), Edit(3, 3, "was ")]
    after = apply(LETTERS, edits)
    far = Span(9, 12, ("time",), text="10", value="22:00")
    near = Span(0, 2, ("it",), text="It ", value="x")
    assert aligned(far, Alignment(edits), LETTERS, after) == Span(
        13, 16, ("time",), text="10", value="22:00"
    )
    assert aligned(near, Alignment(edits), LETTERS, after) == Span(0, 2, ("it",), value="x")
