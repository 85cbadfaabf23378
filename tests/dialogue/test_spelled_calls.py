"""Calls as systems write them, with the names of their arguments."""

from __future__ import annotations

import pytest

from dialoom.dialogue.spelled_calls import calls
from dialoom.errors import FormatError
from tests.make import refuses


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("[fs.move('a', 'b')]", {"source": "a", "2": "b"}),
        ("move('a', to='b')", {"source": "a", "to": "b"}),
        ("copy('a')", {"1": "a"}),
    ],
)
def test_arguments_without_a_name_have_that_of_the_parameter(
    text: str, named: dict[str, str]
) -> None:
    (call,) = calls(text, "here", {"move": ("source",)})
    assert {each.slot: each.value for each in call.constraints} == named


def test_an_object_with_a_list_as_key_is_no_argument() -> None:
    with refuses(FormatError, "wrong-type", "here"):
        calls("move({['a']: 1})", "here")
