"""The words of every vertical fit its ontology."""

from __future__ import annotations

import pytest

from dialoom.errors import UnknownNameError
from dialoom.schema.template import Template
from dialoom.sim.policies.outline.labels import STATUS
from dialoom.sim.policies.outline.verticals import Vertical, lines, texts
from tests.found import some

VERTICALS = texts().verticals


def _places(template: Template) -> tuple[str, ...]:
    return tuple(slot.name for slot in template.slots)


def test_there_are_two_verticals_at_least() -> None:
    assert len({vertical.id for vertical in VERTICALS}) >= 2


@pytest.mark.parametrize("vertical", VERTICALS, ids=lambda vertical: vertical.id)
def test_every_argument_has_values_and_lines(vertical: Vertical) -> None:
    names = {*vertical.required, *vertical.optional}
    assert set(vertical.asked) == names
    assert set(vertical.refused) <= names
    for argument in names:
        if argument != vertical.wish:
            assert len(set(vertical.options(argument))) > 1
        for kind in ("part", "ask", "answer"):
            for said in lines(vertical)[f"{kind}.{argument}"]:
                assert _places(said) == (() if kind == "ask" else (argument,))
    for argument in vertical.refused:
        assert all(_places(s) == (argument,) for s in lines(vertical)[f"refuse.{argument}"])
    for kind in ("done", "fail"):
        assert all(_places(said) == (STATUS,) for said in lines(vertical)[kind])


def test_something_can_be_put_in_the_place_of_every_part() -> None:
    for vertical, parts in some(
        (each, parts) for each in VERTICALS for parts in each.menus.values()
    ):
        others = vertical.extras or vertical.values[vertical.part]
        assert not parts or set(others) - set(parts)


def test_another_language_is_named() -> None:
    with pytest.raises(UnknownNameError):
        texts("xx")
