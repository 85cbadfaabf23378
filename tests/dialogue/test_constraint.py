"""The grammar of constraints: total, exact both ways, and never evaluated."""

from __future__ import annotations

import builtins
import os

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import Constraint
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import CALLS, MAX_LENGTH, Operator, canonical, holds, parse, render
from tests.naughty import naughty
from tests.strategies import constraints, texts, values

PIECES = (
    "api.",
    "is_equal_to",
    "is_one_of",
    "is_at_least",
    "contains",
    *"()[],\"'\\. \n-0134eu",
    "True",
    "None",
    "null",
    "naïve",
    "\\u0041",
    "\\ud800",
)
grammatical = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
quoted = st.builds(
    "{0}{1}{2}{1}{3}".format,
    st.sampled_from(["", "api.contains(", "api.is_one_of(["]),
    st.sampled_from("\"'"),
    st.text('ab\\nu"', max_size=8),
    st.sampled_from(["", ")", "])"]),
)


@given(st.text() | grammatical | quoted | values.map(repr))
def test_every_text_is_rendered_as_it_was(text: str) -> None:
    assert render(parse("slot", text)) == text


@given(
    naughty(), naughty() | st.just(10**400) | st.just(-(10**400)), st.sampled_from(sorted(CALLS))
)
def test_no_text_and_no_number_is_too_much(text: str, value: Value, call: str) -> None:
    assert render(parse("slot", text)) == text
    for constraint in (parse("slot", text), Constraint("slot", CALLS[call], (text,))):
        assert holds(constraint, value) in (True, False)
        canonical(constraint)
    assert holds(Constraint("slot", "at_most", (10**400,)), 7)
    assert not holds(Constraint("slot", "less", (-(10**400),)), 7)


@given(constraints())
def test_a_rendered_constraint_is_read_with_the_same_values(constraint: Constraint) -> None:
    again = parse(constraint.slot, render(constraint))
    assert repr(again) == repr(constraint)  # tells 1, 1.0 and True apart, which compare equal


@given(st.text() | grammatical | quoted)
def test_what_is_read_can_be_stored(text: str) -> None:
    constraint = parse("slot", text)
    assert msgspec.json.decode(msgspec.json.encode(constraint), type=Constraint) == constraint


@given(st.text() | grammatical | quoted, texts)
def test_the_raw_spelling_goes_when_the_value_changes(text: str, value: str) -> None:
    constraint = parse("slot", text)
    if constraint.operator is None or constraint.values == (value,):
        return
    changed = msgspec.structs.replace(constraint, operator="equal", values=(value,))
    assert parse("slot", render(changed)).values == (value,)


@pytest.mark.parametrize(
    ("text", "operator", "expected"),
    [
        ('"Hilton"', "equal", ("Hilton",)),
        ("'Hilton'", "equal", ("Hilton",)),
        ("3", "equal", (3,)),
        ("-2.50", "equal", (-2.5,)),
        ("1e3", "equal", (1000.0,)),
        ("True", "equal", (True,)),
        ("null", "equal", (None,)),
        (r'"a \"b\" \\ \u0041"', "equal", (r'a "b" \ A',)),
        ('api.is_equal_to("Cheap")', "equal", ("Cheap",)),
        ('api.is_one_of(["1st", 2])', "one_of", ("1st", 2)),
        ("api.is_one_of([])", "one_of", ()),
        ('api.is_one_of("1st")', "one_of", ("1st",)),
        ("[1, 'two']", "one_of", (1, "two")),
        ("api.is_equal_to([1])", "one_of", (1,)),
        ("api.is_at_least(3)", "at_least", (3,)),
        ("api.is_at_most(3)", "at_most", (3,)),
        ("api.is_less_than(3)", "less", (3,)),
        ("api.is_greater_than(3)", "greater", (3,)),
        ('api.contains("Park")', "contains", ("Park",)),
        ('api.contains_not("Park")', "contains_not", ("Park",)),
        ('api.is_not("north)")', "not", ("north)",)),
    ],
)
def test_the_grammar(text: str, operator: Operator, expected: tuple[Value, ...]) -> None:
    constraint = parse("slot", text)
    assert (constraint.operator, constraint.values) == (operator, expected)


HOSTILE = {
    "import": "__import__('os').system('false')",
    "call": "api.is_equal_to(__import__('os'))",
    "method": "api.eval('1')",
    "format": "f'{open}'",
    "join": '"a" if 1 else "b"',
    "two calls": 'api.is_not("a") or api.is_not("b")',
    "octal": "0314",
    "empty": "",
    "infinite": "1e999",
    "unclosed": '"open',
    "list in a list": "[[1], 2]",
    "a list elsewhere": "api.is_at_least([3])",
    "long": "a" * 1_000_000,
    "long string": '"' + "a" * 1_000_000 + '"',
    "long escapes": '"' + "\\" * 1_000_001 + '"',
    "long list": "api.is_one_of([" + "1," * 400_000 + "1])",
    "nested": "api.is_not(" * 10_000 + "1" + ")" * 10_000,
    "nested and short": "api.is_not(" * 1_500 + "1" + ")" * 1_500,
    "brackets": "[" * 10_000 + "]" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_what_is_no_constraint_is_kept_unread(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("the text of a constraint was evaluated")

    with monkeypatch.context() as patch:
        patch.setattr(os, "system", forbidden)
        for name in ("eval", "exec", "compile"):
            patch.setattr(builtins, name, forbidden)
        constraint = parse("slot", text)
        output = render(constraint)
    assert constraint == Constraint("slot", None, (), text)
    assert constraint.value is None
    assert output == text


def test_the_longest_text_that_is_read() -> None:
    text = '"' + "a" * (MAX_LENGTH - 2) + '"'
    assert parse("slot", text).operator == "equal"
    assert parse("slot", text[:-1] + 'a"').operator is None


def test_raw_is_kept_only_where_rendering_would_give_another_spelling() -> None:
    assert parse("slot", '"Hilton"').raw is None
    assert parse("slot", "'Hilton'").raw == "'Hilton'"


def test_raw_is_used_only_while_it_means_the_value() -> None:
    constraint = parse("slot", "api.is_equal_to( 1 )")
    assert constraint.operator is None  # no white space inside a call
    constraint = parse("slot", "api.is_equal_to(1)")
    assert render(constraint) == "api.is_equal_to(1)"
    for value in (2, 1.0, True, "1"):
        changed = msgspec.structs.replace(constraint, values=(value,))
        assert parse("slot", render(changed)).values == (value,)
        assert "api" not in render(changed)
    changed = msgspec.structs.replace(constraint, operator="at_least")
    assert render(changed) == "api.is_at_least(1)"
