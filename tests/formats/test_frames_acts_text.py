"""The acts of Frames as text: what the page prints is read, and every act comes back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Act, Argument, Reference
from dialoom.errors import UsageError
from dialoom.formats.frames.acts_text import parse, render, render_act
from tests.strategies import few, names, texts

plain = st.builds(Argument, names) | st.builds(Argument, names, st.tuples(texts))
references = st.builds(Reference, st.integers(-5, 40), st.none() | few(plain))
arguments = plain | st.builds(
    Argument, st.sampled_from(["ref", "read", "write"]), references=few(references, least=1)
)
acts = st.lists(st.builds(Act, names, few(arguments)), max_size=3).map(tuple)


@given(acts)
def test_acts_come_back(given_acts: tuple[Act, ...]) -> None:
    assert parse(render(given_acts)) == given_acts


def test_the_page_is_read_as_it_prints() -> None:
    text = r"inform(dst_city = Ostby, n_adults=5, ref = [1{or_city = Tarn, str = May 3\, 2016}])"
    (act,) = parse(text)
    assert act.arguments[1] == Argument("n_adults", ("5",))
    (reference,) = act.arguments[2].references
    assert reference.frame == 1
    assert reference.arguments == (
        Argument("or_city", ("Tarn",)),
        Argument("str", ("May 3, 2016",)),
    )
    assert render_act(act) == text.replace("=5", " = 5")


def test_a_reference_to_frames_as_a_whole() -> None:
    (act,) = parse("request_compare(price, ref = [1, 2, 3{}])")
    found = [(reference.frame, reference.arguments) for reference in act.arguments[1].references]
    assert found == [(1, None), (2, None), (3, ())]


def test_acts_without_arguments_and_several_of_them() -> None:
    assert parse(" no_result; suggest(dst_city) ;goodbye") == (
        Act("no_result"),
        Act("suggest", (Argument("dst_city"),)),
        Act("goodbye"),
    )
    assert parse("  ") == ()


def test_other_values_are_written_as_json_writes_them() -> None:
    act = Act("inform", (Argument("flex", (True, None, 2.5)),))
    assert render_act(act) == "inform(flex = true, flex = null, flex = 2.5)"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("inform(dst_city = Oslo", "expected ',' or ')'"),
        ("inform)", "expected ';' or the end"),
        ("inform(= Oslo)", "expected the name of a slot"),
        ("; inform", "expected the name of an act"),
        ("inform(ref = [one])", "expected the number of a frame"),
        ("a(" + "r = [1{" * 30, "more than 20 deep"),
        ("inform(a = b\\", "expected ',' or ')'"),
    ],
)
def test_what_is_no_act_is_reported(text: str, what: str) -> None:
    with pytest.raises(UsageError, match=r"not an act: after ") as caught:
        parse(text)
    assert what in str(caught.value)


@given(st.text(alphabet="ab12 ,=()[]{};\\\n", max_size=40))
def test_any_text_is_acts_or_an_error(text: str) -> None:
    try:
        found = parse(text)
    except UsageError:
        return
    assert parse(render(found)) == found
